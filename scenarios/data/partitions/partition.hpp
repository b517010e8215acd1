#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "algorithms/interface/algorithm_traits.hpp"
#include "algorithms/kernels/cells.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/array.hpp"

/// Partitions: who holds which columns, or which rows. The kinds are in feature_partitions.hpp, sample_partitions.hpp,
/// skewed_partitions.hpp and cell_partitions.hpp.
namespace lagnet {

/// Which columns, or rows, each holder of data has: holder j has places starts[j] .. starts[j+1]-1 of those in `order`.
struct DataPartition {
  std::vector<Index> starts;  // m+1, from 0 to the number of columns or rows, never falling
  std::vector<Index> order;   // the column or row at each place; empty: in their own order
  /// If cells are partitioned: who holds which. Both lists are empty then.
  std::shared_ptr<const Cells> cells = nullptr;

  Index holders() const { return static_cast<Index>(starts.size()) - 1; }
  Index first(Index holder) const { return starts[static_cast<std::size_t>(holder)]; }
  Index size(Index holder) const { return first(holder + 1) - first(holder); }
};

/// The partitioned things, and the number of agents.
struct PartitionContext {
  Index features = 0;
  VectorView labels{nullptr, 0};  // one a sample
  Index holders = 1;              // at least 1
  std::uint64_t seed = 1;
  Index unlabeled = 0;            // samples, where there are no labels
  const DataMatrix* X = nullptr;  // the data, for partitions of cells

  Index samples() const { return labels.size() + unlabeled; }
};

/// The things that a kind of partition divides, and its needs. Each options struct declares them.
struct PartitionTraits {
  PartitionBy by;
  bool needs_labels = false;
};

/// A kind of partition with its options. make() throws Diagnosed, with all problems, if the options do not divide these
/// data.
struct MadePartition {
  PartitionTraits traits;
  std::function<DataPartition(const PartitionContext&)> make;
};

/// Blocks as even as can be: of d things on m holders, the first (d mod m) holders get ceil(d/m) and the others
/// floor(d/m), which is 0 if d < m.
std::vector<Index> even_starts(Index count, Index holders);

/// The starts of blocks of these sizes; a size below 0 counts as 0. Throws Diagnosed if they do not add up to `count`,
/// or are not one for each holder: `kind` is the partition's name, `things` what it divides.
std::vector<Index> starts_of(const std::vector<std::int64_t>& sizes, Index count, Index holders, std::string_view kind,
                             std::string_view things);

/// 0 .. count-1 in random order, drawn from the seed for a purpose of that name.
std::vector<Index> random_order(Index count, std::string_view purpose, std::uint64_t seed);

}  // namespace lagnet
