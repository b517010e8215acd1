#include "scenarios/data/generators/federated_regression.hpp"

#include <cmath>

#include "scenarios/data/generators/federated_classification.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::federated_regression_test {

using namespace laws;

TEST_CASE("a client's data do not depend on the numbers of clients or samples") {
  const FederatedRegressionOptions few{.clients = 2, .samples_per_client = 3, .features = 6, .nonzeros = 2};
  const FederatedRegressionOptions many{.clients = 5, .samples_per_client = 4, .features = 6, .nonzeros = 2};
  const LowRankRegressionOptions small{.clients = 2, .samples_per_client = 3, .rows = 2, .columns = 3, .rank = 1};
  const LowRankRegressionOptions large{.clients = 5, .samples_per_client = 4, .rows = 2, .columns = 3, .rank = 1};
  const FederatedClassificationOptions two{.clients = 2, .samples_per_client = 3, .features = 6, .classes = 3};
  const FederatedClassificationOptions five{.clients = 5, .samples_per_client = 4, .features = 6, .classes = 3};
  const auto compare = [](const DataSet& a, const DataSet& b, const DataSet& other) {
    CHECK(a.X.dense().middleRows(3, 3) == b.X.dense().middleRows(4, 3));  // the second client's first three
    CHECK(a.y.segment(3, 3) == b.y.segment(4, 3));
    CHECK((a.X.dense().array() != other.X.dense().array()).all());  // another seed
    CHECK((a.X.dense().row(0).array() != a.X.dense().row(3).array()).all());
  };
  compare(load(few, 1), load(many, 1), load(few, 2));
  compare(load(small, 1), load(large, 1), load(small, 2));
  compare(load(two, 1), load(five, 1), load(two, 2));
}

TEST_CASE("a client's shift is added to all its samples, those for tests as well") {
  const Index K = 40, n = 3, p = 25;
  FederatedRegressionOptions options{
      .clients = K, .samples_per_client = n, .features = p, .nonzeros = 2, .shift = 0, .test_samples_per_client = n};
  const DataSet centered = load(options, 7);
  options.shift = 2;
  const DataSet shifted = load(options, 7);
  const Matrix shifts = shifted.X.dense() - centered.X.dense();
  const Matrix test_shifts = shifted.test->X.dense() - centered.test->X.dense();
  double squares = 0;
  for (Index k = 0; k < K; ++k)
    for (Index i = 0; i < n; ++i) {  // sums of numbers up to 10, rounded
      CHECK((shifts.row(k * n + i) - shifts.row(k * n)).cwiseAbs().maxCoeff() < 20 * eps);
      CHECK((test_shifts.row(k * n + i) - shifts.row(k * n)).cwiseAbs().maxCoeff() < 20 * eps);
      if (i == 0) squares += shifts.row(k * n).squaredNorm();
    }
  CHECK(std::abs(squares / count(K * p) / 4 - 1) < sigmas * std::sqrt(2 / count(K * p)));  // a chi-square, times 4
  CHECK((centered.X.dense().array() != centered.test->X.dense().array()).all());
}

TEST_CASE("federated regression has the correlation, the truth and the noise of its paper") {
  const Index n = 6000, p = 12;
  const DataSet data = load(
      FederatedRegressionOptions{.clients = 1, .samples_per_client = n, .features = p, .nonzeros = 5, .shift = 0}, 5);
  CHECK(*data.truth == (Vector(p) << Vector::Ones(5), Vector::Zero(7)).finished());
  const Matrix X = data.X.dense();
  for (const Index lag : {0, 1, 3}) {
    const double mean = X.leftCols(p - lag).cwiseProduct(X.rightCols(p - lag)).sum() / count(n) / count(p - lag);
    CHECK(std::abs(mean - std::exp2(-count(lag))) < sigmas * std::sqrt(2 / count(n)));  // as above
  }
  const Vector noise = data.y - X * *data.truth;
  CHECK(std::abs(noise.squaredNorm() / count(n) - 1) < sigmas * std::sqrt(2 / count(n)));
}

TEST_CASE("low rank regression seeks a matrix with ones on a part of its diagonal") {
  const LowRankRegressionOptions options{
      .clients = 3, .samples_per_client = 2, .rows = 3, .columns = 4, .rank = 2, .noise = 0};
  const DataSet data = load(options, 1);
  REQUIRE(data.shape.is_matrix);
  CHECK(data.shape.rows == 3);
  CHECK(data.shape.cols == 4);
  const Matrix W = as_matrix(*data.truth, data.shape);
  CHECK(W == (Matrix(3, 4) << 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0).finished());
  // Row by row: entry (1, 1) of a sample is its feature 5.
  CHECK(data.y == Vector(data.X.dense().col(0) + data.X.dense().col(5)));
}

}  // namespace lagnet::federated_regression_test
