#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scenarios/data/partitions/partition.hpp"
#include "sim/base/options.hpp"

/// Partitions of the columns: each holder of data has some features of all samples.
namespace lagnet {

/// Contiguous blocks, as even as can be: even_starts().
struct EvenFeaturesOptions : NoOptions {
  static constexpr std::string_view kind = "features";
  static constexpr std::string_view summary = "even contiguous blocks of columns";
  static constexpr PartitionTraits traits{.by = PartitionBy::features};
};

/// The even blocks of columns that were put in a random order first, drawn from the seed.
struct ShuffledFeaturesOptions : NoOptions {
  static constexpr std::string_view kind = "shuffled_features";
  static constexpr std::string_view summary = "even blocks of columns in random order";
  static constexpr PartitionTraits traits{.by = PartitionBy::features};
};

/// Contiguous blocks given one by one, by their sizes or by their first columns. A block may be empty.
struct FeatureBlocksOptions {
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> starts;

  static constexpr std::string_view kind = "feature_blocks";
  static constexpr std::string_view summary = "contiguous blocks of columns of given sizes";
  static constexpr PartitionTraits traits{.by = PartitionBy::features};
  static void fields(auto& self, auto& field) {
    field("sizes", self.sizes, "number of columns of each agent", at_least(0));
    field("starts", self.starts, "first column of each agent, from 0, instead of sizes", at_least(0));
  }
  void check(auto& report) const {
    if (sizes.empty() == starts.empty()) {
      report("sizes", "either sizes or starts", sizes.empty() ? "neither" : "both");
    }
  }
};

DataPartition make_partition(const EvenFeaturesOptions& options, const PartitionContext& context);
DataPartition make_partition(const ShuffledFeaturesOptions& options, const PartitionContext& context);
/// Throws Diagnosed, with all problems, if the blocks do not partition the columns or are not one for each holder.
DataPartition make_partition(const FeatureBlocksOptions& options, const PartitionContext& context);

}  // namespace lagnet
