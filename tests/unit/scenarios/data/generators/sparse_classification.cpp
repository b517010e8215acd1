#include "scenarios/data/generators/sparse_classification.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::sparse_classification_test {

using namespace laws;

namespace {

const SparseClassificationOptions small{.samples = 500, .features = 200, .nonzeros_per_sample = 10, .popularity = 1};

}  // namespace

TEST_CASE("every row has as many entries as asked for, and the matrix is sparse") {
  for (const double popularity : {0.0, 1.0}) {
    SparseClassificationOptions options = small;
    options.popularity = popularity;
    const DataSet data = load(options, 2);
    REQUIRE(data.X.is_sparse());
    CHECK(data.X.nonzeros() == 5000);
    CHECK(((data.X.dense().array() != 0).rowwise().count() == 10).all());
    CHECK((data.y.array().abs() == 1).all());
  }
}

TEST_CASE("columns are as popular as Zipf's law says") {
  SparseClassificationOptions options = small;
  options.nonzeros_per_sample = 1;
  options.samples = 20000;
  const Matrix X = load(options, 3).X.dense();
  double sum = 0;
  for (Index j = 0; j < 200; ++j) sum += 1.0 / static_cast<double>(j + 1);
  for (const Index j : {0, 1, 9}) {
    const double p = 1 / static_cast<double>(j + 1) / sum, n = 20000;
    const auto found = static_cast<double>((X.col(j).array() != 0).count());
    CHECK(std::abs(found - n * p) < sigmas * std::sqrt(n * p * (1 - p)));
  }
}

TEST_CASE("without noise the labels are the signs of X theta, and a row depends on its number and the seed only") {
  SparseClassificationOptions options = small;
  options.noise = 0;
  const DataSet data = load(options, 4);
  CHECK((data.X.times(*data.truth).array() * data.y.array() >= 0).all());
  options.samples = 100;
  CHECK(load(options, 4).X.dense() == data.X.dense().topRows(100));
  CHECK(load(options, 5).X.dense() != data.X.dense().topRows(100));
}

}  // namespace lagnet::sparse_classification_test
