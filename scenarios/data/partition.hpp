#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithms/data_matrix.hpp"
#include "sim/array.hpp"
#include "sim/options.hpp"

namespace lagnet {

/// Which columns each agent holds: agent j has places starts[j] .. starts[j+1]-1 of the columns in `order`.
struct FeaturePartition {
  std::vector<Index> starts;  // m+1, from 0 to the number of columns, never falling
  std::vector<Index> order;   // the column that stands at each place; empty: as they are

  Index agents() const { return static_cast<Index>(starts.size()) - 1; }
  Index first(Index agent) const { return starts[static_cast<std::size_t>(agent)]; }
  Index size(Index agent) const { return first(agent + 1) - first(agent); }
};

/// Contiguous blocks as even as can be: with d columns on m agents, the first (d mod m) agents get ceil(d/m) columns
/// and the others floor(d/m), none at all when d < m and they come late.
struct EvenFeaturesOptions {
  static constexpr std::string_view kind = "features";
  static constexpr std::string_view summary = "even contiguous blocks of columns";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&) {}
};

/// The even blocks of columns that were put in a random order first, drawn from the seed.
struct ShuffledFeaturesOptions {
  static constexpr std::string_view kind = "shuffled_features";
  static constexpr std::string_view summary = "even blocks of columns in random order";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&) {}
};

/// Contiguous blocks given one by one, by their sizes or by their first columns. A block may be empty.
struct FeatureBlocksOptions {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> starts;

  static constexpr std::string_view kind = "feature_blocks";
  static constexpr std::string_view summary = "contiguous blocks of columns of given sizes";
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("sizes", self.sizes, "number of columns of each agent", at_least(0));
    field("starts", self.starts, "first column of each agent, from 0, instead of sizes", at_least(0));
  }
  template <class Report>
  void check(Report& report) const {
    if (sizes.empty() == starts.empty()) {
      report("sizes", "either sizes or starts", sizes.empty() ? "neither" : "both");
    }
  }
};

/// Partitions of `columns` >= 0 columns over `agents` >= 1 agents. Throws DataError, with all problems, if given blocks
/// do not partition the columns or are not one for each agent.
FeaturePartition make_partition(const EvenFeaturesOptions& options, Index columns, Index agents, std::uint64_t seed);
FeaturePartition make_partition(const ShuffledFeaturesOptions& options, Index columns, Index agents,
                                std::uint64_t seed);
FeaturePartition make_partition(const FeatureBlocksOptions& options, Index columns, Index agents, std::uint64_t seed);

/// The columns of X in the order of the partition, so that every agent's block is contiguous.
DataMatrix ordered_columns(const DataMatrix& X, const FeaturePartition& partition);

}  // namespace lagnet
