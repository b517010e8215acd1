#include "scenarios/data/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "scenarios/data/data_problems.hpp"
#include "sim/draws.hpp"
#include "sim/errors.hpp"

namespace lagnet {

namespace {
std::vector<Index> starts_of(const std::vector<std::int64_t>& sizes, Index columns, DataProblems& problems) {
  std::vector<Index> starts{0};
  bool too_many = false;
  for (const std::int64_t size : sizes) {
    if (size < 0) problems.add(0, "sizes of at least 0", fmt::format("{}", size));
    too_many = too_many || size > columns - starts.back();  // found before a sum can overflow
    starts.push_back(too_many ? columns : starts.back() + std::max<std::int64_t>(size, 0));
  }
  if (too_many) problems.add(0, fmt::format("sizes that add up to the {} columns", columns), "more");
  if (!too_many && starts.back() != columns) {
    problems.add(0, fmt::format("sizes that add up to the {} columns", columns), fmt::format("{}", starts.back()));
  }
  return starts;
}

std::vector<Index> checked_starts(const std::vector<std::int64_t>& given, Index columns, DataProblems& problems) {
  std::vector<Index> starts(given.begin(), given.end());
  if (starts.front() != 0) problems.add(0, "a first block that starts at column 0", fmt::format("{}", starts.front()));
  for (std::size_t j = 1; j < starts.size(); ++j) {
    if (starts[j] < starts[j - 1]) {
      problems.add(0, fmt::format("a start of agent {} not below {}", j, starts[j - 1]), fmt::format("{}", starts[j]));
    }
  }
  if (starts.back() > columns) {
    problems.add(0, fmt::format("starts of at most the {} columns", columns), fmt::format("{}", starts.back()));
  }
  starts.push_back(columns);
  return starts;
}
}  // namespace

FeaturePartition make_partition(const EvenFeaturesOptions&, Index columns, Index agents, std::uint64_t) {
  LAGNET_CHECK(columns >= 0 && agents >= 1, "{} columns over {} agents", columns, agents);
  FeaturePartition partition;
  for (Index j = 0; j <= agents; ++j) {
    partition.starts.push_back(j * (columns / agents) + std::min(j, columns % agents));
  }
  return partition;
}

FeaturePartition make_partition(const ShuffledFeaturesOptions&, Index columns, Index agents, std::uint64_t seed) {
  FeaturePartition partition = make_partition(EvenFeaturesOptions{}, columns, agents, seed);
  const auto order = Draws(seed, Purpose{"partition.features"}).permutation(static_cast<std::uint32_t>(columns));
  partition.order.assign(order.begin(), order.end());
  return partition;
}

FeaturePartition make_partition(const FeatureBlocksOptions& options, Index columns, Index agents, std::uint64_t) {
  DataProblems problems("feature_blocks");
  if (options.sizes.empty() == options.starts.empty()) {
    problems.add(0, "either sizes or starts", options.sizes.empty() ? "neither" : "both");
    problems.throw_if_any();
  }
  const auto& given = options.sizes.empty() ? options.starts : options.sizes;
  if (static_cast<Index>(given.size()) != agents) {
    problems.add(0, fmt::format("{} blocks, one for each agent", agents), fmt::format("{}", given.size()));
  }
  FeaturePartition partition;
  partition.starts = options.sizes.empty() ? checked_starts(options.starts, columns, problems)
                                           : starts_of(options.sizes, columns, problems);
  problems.throw_if_any();
  return partition;
}

DataMatrix ordered_columns(const DataMatrix& X, const FeaturePartition& partition) {
  if (partition.order.empty()) return X;
  LAGNET_CHECK(static_cast<Index>(partition.order.size()) == X.cols(), "an order of {} columns for {}",
               partition.order.size(), X.cols());
  if (const Matrix* dense = X.as_dense()) return DataMatrix(Matrix((*dense)(Eigen::all, partition.order)));
  const SparseMatrix& from = *X.as_sparse();
  SparseMatrix to(from.rows(), from.cols());
  to.reserve(from.nonZeros());
  for (Index place = 0; place < from.cols(); ++place) {
    to.startVec(place);
    for (SparseMatrix::InnerIterator entry(from, partition.order[static_cast<std::size_t>(place)]); entry; ++entry) {
      to.insertBack(entry.row(), place) = entry.value();
    }
  }
  to.finalize();
  return DataMatrix(std::move(to));
}

}  // namespace lagnet
