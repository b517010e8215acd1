#include <algorithm>
#include <set>

#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/partitions/sample_partitions.hpp"
#include "scenarios/data/partitions/skewed_partitions.hpp"
#include "scenarios/data/storage.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_sample_partitions_test {
namespace {

using Starts = std::vector<Index>;

/// `count` labels 0 .. classes-1, one after the other again and again.
Vector labels_in_turn(Index count, Index classes) {
  return Vector::NullaryExpr(count, [&](Index i) { return static_cast<double>(i % classes); });
}

PartitionContext rows(const Vector& labels, Index holders, std::uint64_t seed = 1) {
  return {.features = 3, .labels = VectorView(labels.data(), labels.size()), .holders = holders, .seed = seed};
}

/// Every sample once, in as many shards as there are holders.
void check_partition(const DataPartition& partition, Index samples, Index holders) {
  REQUIRE(partition.holders() == holders);
  CHECK(std::ranges::is_sorted(partition.starts));
  CHECK(partition.starts.front() == 0);
  CHECK(partition.starts.back() == samples);
  Starts sorted = partition.order;
  std::ranges::sort(sorted);
  REQUIRE(static_cast<Index>(sorted.size()) == samples);
  for (Index i = 0; i < samples; ++i) CHECK(sorted[static_cast<std::size_t>(i)] == i);
}

std::set<double> labels_of(const DataPartition& partition, Index holder, const Vector& labels) {
  std::set<double> found;
  for (Index place = partition.first(holder); place < partition.first(holder + 1); ++place)
    found.insert(labels[partition.order[static_cast<std::size_t>(place)]]);
  return found;
}

/// The sum over labels and holders of the squared share that a holder has of a label: 1/holders if all have the same,
/// 1 if each label has one holder.
double concentration_of(const DataPartition& partition, const Vector& labels, Index classes) {
  double sum = 0;
  for (Index label = 0; label < classes; ++label) {
    const auto all = static_cast<double>((labels.array() == static_cast<double>(label)).count());
    for (Index h = 0; h < partition.holders(); ++h) {
      double mine = 0;
      for (Index place = partition.first(h); place < partition.first(h + 1); ++place)
        mine += labels[partition.order[static_cast<std::size_t>(place)]] == static_cast<double>(label) ? 1 : 0;
      sum += mine * mine / (all * all);
    }
  }
  return sum / static_cast<double>(classes);
}

}  // namespace

TEST_CASE("even shards, shuffled or not, and shards of given sizes") {
  const Vector labels = labels_in_turn(11, 2);
  const DataPartition even = make_partition(EvenSamplesOptions{}, rows(labels, 4));
  CHECK(even.starts == Starts{0, 3, 6, 9, 11});
  CHECK(even.order.empty());
  const DataPartition shuffled = make_partition(ShuffledSamplesOptions{}, rows(labels, 4));
  CHECK(shuffled.starts == even.starts);
  check_partition(shuffled, 11, 4);
  CHECK(!std::ranges::is_sorted(shuffled.order));
  CHECK(make_partition(ShuffledSamplesOptions{}, rows(labels, 4, 2)).order != shuffled.order);
  CHECK(make_partition(SampleBlocksOptions{.sizes = {4, 1, 6}}, rows(labels, 3)).starts == Starts{0, 4, 5, 11});
}

TEST_CASE("sizes of shards that do not partition the samples are errors") {
  const Vector labels = labels_in_turn(11, 2);
  CHECK(problems_of("",
                    [&] {
                      make_partition(SampleBlocksOptions{.sizes = {4, 1}}, rows(labels, 3));
                    }) == Texts{"sample_blocks: expected 3 blocks, one for each agent, found 2",
                                "sample_blocks: expected sizes that add up to the 11 samples, found 5"});
}

TEST_CASE("sorted by label, even shards have one label each where the labels' counts allow it") {
  const Vector labels = labels_in_turn(60, 5);
  const DataPartition partition = make_partition(ByLabelOptions{}, rows(labels, 5));
  check_partition(partition, 60, 5);
  for (Index h = 0; h < 5; ++h) CHECK(labels_of(partition, h, labels) == std::set{static_cast<double>(h)});
  CHECK(make_partition(ByLabelOptions{}, rows(labels, 5, 2)).order != partition.order);
}

TEST_CASE("with two shards a holder has at most two labels, and as many samples as the others") {
  const Vector labels = labels_in_turn(60, 6);
  const DataPartition partition = make_partition(ByLabelOptions{.shards = 2}, rows(labels, 6));
  check_partition(partition, 60, 6);
  Index two = 0;
  for (Index h = 0; h < 6; ++h) {
    CHECK(partition.size(h) == 10);
    const auto mine = labels_of(partition, h, labels).size();
    CHECK(mine <= 2);
    if (mine == 2) ++two;
  }
  CHECK(two >= 1);  // dealt in order, every holder would have two shards of one label
}

TEST_CASE("Dirichlet shares of a small concentration are more skewed than those of a large one") {
  const Vector labels = labels_in_turn(2000, 4);
  const DataPartition skewed = make_partition(DirichletOptions{.concentration = 0.2}, rows(labels, 5));
  const DataPartition even = make_partition(DirichletOptions{.concentration = 1000}, rows(labels, 5));
  check_partition(skewed, 2000, 5);
  check_partition(even, 2000, 5);
  // The mean of the sum of m squared shares is (a + 1) / (m a + 1): 0.6 for a = 0.2 and m = 5, and 0.2002 for a = 1000,
  // where four draws and whole samples are off by less than 1e-3 each. The small one need only lie clearly above.
  CHECK(concentration_of(even, labels, 4) == Approx(0.2002).margin(2e-3));
  CHECK(concentration_of(skewed, labels, 4) > 0.35);
  CHECK(make_partition(DirichletOptions{.concentration = 0.2}, rows(labels, 5)).order == skewed.order);
}

TEST_CASE("Dirichlet shares give each holder a sample, or the concentration is refused") {
  const Vector labels = labels_in_turn(40, 2);
  const DataPartition partition = make_partition(DirichletOptions{.concentration = 0.3}, rows(labels, 5));
  for (Index h = 0; h < 5; ++h) CHECK(partition.size(h) >= 1);
  CHECK(
      problems_of("", [&] { make_partition(DirichletOptions{.concentration = 0.001}, rows(labels, 5)); }) ==
      Texts{"dirichlet: expected a concentration that leaves no agent without samples, or \"fill_empty\": true, which "
            "gives it one, found 0.001, with which 1000 draws did"});
  const DataPartition filled =
      make_partition(DirichletOptions{.concentration = 0.001, .fill_empty = true}, rows(labels, 5));
  check_partition(filled, 40, 5);
  // Nearly all of a label is with one holder, so that three have the one sample that they were given.
  for (Index h = 0, given = 0; h < 5; ++h) {
    CHECK(filled.size(h) >= 1);
    given += filled.size(h) == 1 ? 1 : 0;
    if (h == 4) CHECK(given >= 3);
  }
  CHECK(make_partition(DirichletOptions{.concentration = 0.3, .fill_empty = true}, rows(labels, 5)).size(0) >= 1);
  const Vector many = Vector::LinSpaced(1001, 0, 1);
  CHECK(problems_of("", [&] { make_partition(DirichletOptions{}, rows(many, 5)); }) ==
        Texts{"dirichlet: expected labels that are classes, at most 1000; \"quantiles\": 10 makes ten groups of "
              "samples with near labels, found 1001 different labels of 1001 samples"});
}

TEST_CASE("quantity skew deals every sample, one to each holder at least") {
  const Vector labels = labels_in_turn(100, 2);
  const DataPartition partition = make_partition(QuantitySkewOptions{.concentration = 0.05}, rows(labels, 20));
  check_partition(partition, 100, 20);
  Index most = 0;
  for (Index h = 0; h < 20; ++h) {
    CHECK(partition.size(h) >= 1);
    most = std::max(most, partition.size(h));
  }
  // The 20 shares have a sum of concentrations of 1: the largest of them is above a quarter in all but rare draws.
  CHECK(most > 20);
  CHECK(problems_of("", [&] { make_partition(QuantitySkewOptions{}, rows(labels, 101)); }) ==
        Texts{"quantity_skew: expected at least 101 samples, one for each agent, found 100"});
}

TEST_CASE("rows and labels are put in the order of the partition, dense or sparse") {
  const DataSet data = load(GaussianRegressionOptions{.samples = 9, .features = 4}, 1);
  const Matrix X = (data.X.dense().array() > 0).select(data.X.dense(), 0);
  const Starts order = make_partition(ShuffledSamplesOptions{}, rows(data.y, 2)).order;
  const Matrix expected = selected_rows(DataMatrix(X), order).dense();
  const Vector labels = data.y(order);
  for (Index place = 0; place < 9; ++place) {
    CHECK(expected.row(place) == X.row(order[static_cast<std::size_t>(place)]));
    CHECK(labels[place] == data.y[order[static_cast<std::size_t>(place)]]);
  }
  const DataMatrix sparse = selected_rows(DataMatrix(SparseMatrix(X.sparseView())), order);
  CHECK(sparse.is_sparse());
  CHECK(sparse.dense() == expected);
}

}  // namespace lagnet::data_sample_partitions_test
