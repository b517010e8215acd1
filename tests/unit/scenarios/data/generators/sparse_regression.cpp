#include "scenarios/data/generators/sparse_regression.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "scenarios/data/generators/gaussian.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::sparse_regression_test {

using namespace laws;

TEST_CASE("sparse regression has its non-zeros at random places, and their values as asked for") {
  SparseRegressionOptions options{.samples = 10, .features = 200, .nonzeros = 7};
  const DataSet ones = load(options, 3);
  CHECK(ones.truth->sum() == 7);
  CHECK((ones.truth->array() == 1).count() == 7);
  CHECK(ones.shape.rows == 200);
  CHECK_FALSE(ones.shape.is_matrix);
  options.values = TrueValues::gaussian;
  const Vector drawn = *load(options, 3).truth;
  CHECK(((drawn.array() != 0) == (ones.truth->array() != 0)).all());
  CHECK(*load(options, 4).truth != drawn);
  options.values = TrueValues::ones;
  CHECK(*load(options, 4).truth != *ones.truth);
}

TEST_CASE("values of a power fall with the order of the drawn ones, whose places and signs they keep") {
  SparseRegressionOptions options{.samples = 10, .features = 200, .nonzeros = 200, .values = TrueValues::gaussian};
  const Vector drawn = *load(options, 3).truth;
  options.values = TrueValues::power;
  const Vector power = *load(options, 3).truth;
  CHECK((power.array().sign() == drawn.array().sign()).all());
  std::vector<double> sizes(200);
  for (Index j = 0; j < 200; ++j) sizes[static_cast<std::size_t>(j)] = std::abs(power[j]);
  for (Index j = 1; j < 200; ++j)
    CHECK((std::abs(drawn[j]) > std::abs(drawn[j - 1])) == (std::abs(power[j]) > std::abs(power[j - 1])));
  std::ranges::sort(sizes, std::greater{});
  for (std::size_t k = 0; k < 200; ++k) CHECK(sizes[k] == Approx(std::pow(static_cast<double>(k + 1), -2)));
}

TEST_CASE("a design of signs has those of the gaussian one and keeps its correlation") {
  SparseRegressionOptions options{.samples = 30, .features = 5, .nonzeros = 1};
  const Matrix plain = load(options, 9).X.dense();
  options.design = Design::signs;
  const Matrix signs = load(options, 9).X.dense();
  CHECK(signs == Matrix(plain.array().sign()));
  options.correlation = 0.5;
  const Matrix correlated = load(options, 9).X.dense();
  for (Index j = 1; j < 5; ++j)
    CHECK((correlated.col(j) - 0.5 * correlated.col(j - 1) - std::sqrt(0.75) * signs.col(j)).norm() <= 1e-14);
}

TEST_CASE("sparse regression's labels are X theta and noise") {
  SparseRegressionOptions options{.samples = 900, .features = 40, .nonzeros = 5, .noise = 0, .correlation = 0.5};
  const DataSet exact = load(options, 3);
  const Vector fitted = exact.X.times(*exact.truth);
  CHECK((exact.y - fitted).norm() <= 10 * eps * fitted.norm());  // five additions each, in one order or another
  options.noise = 0.25;
  const Vector noise = load(options, 3).y - exact.y;
  CHECK(std::abs(noise.squaredNorm() / 900 / 0.0625 - 1) < sigmas * std::sqrt(2.0 / 900));  // a chi-square
}

TEST_CASE("sparse regression's independent features are those of gaussian regression, with the variances asked for") {
  SparseRegressionOptions options{.samples = 30, .features = 5, .nonzeros = 1};
  const Matrix plain = load(options, 9).X.dense();
  CHECK(plain == load(GaussianRegressionOptions{.samples = 30, .features = 5}, 9).X.dense());
  options.condition_number = 16;
  const Matrix linear = load(options, 9).X.dense();
  options.spacing = Spacing::geometric;
  const Matrix geometric = load(options, 9).X.dense();
  const Vector variances = (Vector(5) << 1, 4.75, 8.5, 12.25, 16).finished();
  for (Index j = 0; j < 5; ++j) {  // root and product, rounded twice
    CHECK((linear.col(j) - std::sqrt(variances[j]) * plain.col(j)).norm() <= 4 * eps * linear.col(j).norm());
    CHECK((geometric.col(j) - std::exp2(count(j) / 2) * plain.col(j)).norm() <= 4 * eps * geometric.col(j).norm());
  }
}

TEST_CASE("sparse regression's correlation falls geometrically with the distance of features") {
  const Index n = 5000, d = 30;
  const double r = 0.5;
  const Matrix X =
      load(SparseRegressionOptions{.samples = n, .features = d, .nonzeros = 1, .correlation = r}, 5).X.dense();
  for (const Index lag : {0, 1, 2, 5}) {
    const double mean = X.leftCols(d - lag).cwiseProduct(X.rightCols(d - lag)).sum() / count(n) / count(d - lag);
    // A product of normals of covariance c has variance 1 + c^2, at most 2, and a row's mean of such no more.
    CHECK(std::abs(mean - std::pow(r, count(lag))) < sigmas * std::sqrt(2 / count(n)));
  }
}

}  // namespace lagnet::sparse_regression_test
