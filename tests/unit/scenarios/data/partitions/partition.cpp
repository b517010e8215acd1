#include <algorithm>

#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/partitions/feature_partitions.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_partition_test {
namespace {

using Starts = std::vector<Index>;

PartitionContext columns(Index features, Index holders, std::uint64_t seed = 1) {
  return {.features = features, .holders = holders, .seed = seed};
}

TEST_CASE("even blocks give the first d mod m agents one column more") {
  const DataPartition partition = make_partition(EvenFeaturesOptions{}, columns(11, 4, 1));
  CHECK(partition.starts == Starts{0, 3, 6, 9, 11});
  CHECK(partition.holders() == 4);
  CHECK(partition.first(3) == 9);
  CHECK(partition.size(3) == 2);
  CHECK(partition.order.empty());
  CHECK(make_partition(EvenFeaturesOptions{}, columns(8, 4, 1)).starts == Starts{0, 2, 4, 6, 8});
  CHECK(make_partition(EvenFeaturesOptions{}, columns(8, 1, 1)).starts == Starts{0, 8});
}

TEST_CASE("with fewer columns than agents the last blocks are empty") {
  CHECK(make_partition(EvenFeaturesOptions{}, columns(2, 5, 1)).starts == Starts{0, 1, 2, 2, 2, 2});
}

TEST_CASE("given sizes and given starts say the same blocks") {
  const Starts expected{0, 2, 2, 7};
  CHECK(make_partition(FeatureBlocksOptions{.sizes = {2, 0, 5}}, columns(7, 3, 1)).starts == expected);
  CHECK(make_partition(FeatureBlocksOptions{.starts = {0, 2, 2}}, columns(7, 3, 1)).starts == expected);
}

TEST_CASE("blocks that do not partition the columns are errors") {
  const auto problems = [](const FeatureBlocksOptions& options) {
    return problems_of("", [&] { make_partition(options, columns(7, 3, 1)); });
  };
  CHECK(problems({.sizes = {2, 2, 2}}) ==
        Texts{"feature_blocks: expected sizes that add up to the 7 columns, found 6"});
  CHECK(problems({.sizes = {2, 2, 4}}) ==
        Texts{"feature_blocks: expected sizes that add up to the 7 columns, found more"});
  CHECK(problems({.sizes = {4, INT64_MAX, INT64_MAX}}) ==
        Texts{"feature_blocks: expected sizes that add up to the 7 columns, found more"});
  CHECK(problems({.sizes = {-1, 2, 5}}) == Texts{"feature_blocks: expected sizes of at least 0, found -1"});
  CHECK(problems({.sizes = {3, 3}}) == Texts{"feature_blocks: expected 3 blocks, one for each agent, found 2",
                                             "feature_blocks: expected sizes that add up to the 7 columns, found 6"});
  CHECK(problems({.starts = {1, 0, 9}}) ==
        Texts{"feature_blocks: expected a first block that starts at column 0, found 1",
              "feature_blocks: expected a start of agent 1 not below 1, found 0",
              "feature_blocks: expected starts of at most the 7 columns, found 9"});
  CHECK(problems({}) == Texts{"feature_blocks: expected either sizes or starts, found neither"});
  CHECK(problems({.sizes = {7}, .starts = {0}}) ==
        Texts{"feature_blocks: expected either sizes or starts, found both"});
}

TEST_CASE("shuffled features are a permutation that the seed decides") {
  const DataPartition partition = make_partition(ShuffledFeaturesOptions{}, columns(30, 4, 1));
  CHECK(partition.starts == make_partition(EvenFeaturesOptions{}, columns(30, 4, 1)).starts);
  Starts sorted = partition.order;
  std::ranges::sort(sorted);
  REQUIRE(sorted.size() == 30);
  for (Index i = 0; i < 30; ++i) CHECK(sorted[static_cast<std::size_t>(i)] == i);
  CHECK(partition.order != sorted);
  CHECK(make_partition(ShuffledFeaturesOptions{}, columns(30, 7, 1)).order == partition.order);
  CHECK(make_partition(ShuffledFeaturesOptions{}, columns(30, 4, 2)).order != partition.order);
}

TEST_CASE("columns are put in the order of the partition, dense or sparse") {
  const Matrix dense = load(GaussianRegressionOptions{.samples = 4, .features = 9}, 1).X.dense();
  const Matrix X = (dense.array() > 0).select(dense, 0);
  const DataPartition partition = make_partition(ShuffledFeaturesOptions{}, columns(9, 2, 1));
  const Matrix expected = DataMatrix(X).columns(partition.order).dense();
  for (Index place = 0; place < 9; ++place) {
    CHECK(expected.col(place) == X.col(partition.order[static_cast<std::size_t>(place)]));
  }
  const DataMatrix sparse = DataMatrix(SparseMatrix(X.sparseView())).columns(partition.order);
  CHECK(sparse.is_sparse());
  CHECK(sparse.dense() == expected);
}

}  // namespace
}  // namespace lagnet::data_partition_test
