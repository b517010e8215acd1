#include "scenarios/data/generators/gaussian.hpp"

#include <cmath>

#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::gaussian_test {

using namespace laws;

TEST_CASE("gaussian regression has standard normal entries, truth and noise") {
  const GaussianRegressionOptions options{.samples = 400, .features = 50, .noise = 0.5};
  const DataSet data = load(options, 3);
  const DenseView X = *data.X.as_dense();
  const double entries = count(X.size());
  CHECK(data.samples == 400);
  CHECK(X.rows() == 400);
  CHECK(std::abs(X.mean()) < sigmas / std::sqrt(entries));
  CHECK(std::abs(X.squaredNorm() / entries - 1) < sigmas * std::sqrt(2 / entries));    // chi-square of nd degrees
  CHECK(std::abs(data.truth->squaredNorm() / 50 - 1) < sigmas * std::sqrt(2.0 / 50));  // and of d
  const Vector noise = data.y - X * *data.truth;
  CHECK(std::abs(noise.mean()) < sigmas * 0.5 / std::sqrt(400.0));
  CHECK(std::abs(noise.squaredNorm() / 400 / 0.25 - 1) < sigmas * std::sqrt(2.0 / 400));  // and of n, times 1/4
  const Vector overlaps = X.transpose() * noise;  // N(0, 1/4 |X_j|^2): noise and features are independent
  CHECK(overlaps.cwiseAbs().maxCoeff() < sigmas * 0.5 * X.colwise().norm().maxCoeff());
}

TEST_CASE("without noise the labels are X theta") {
  const DataSet data = load(GaussianRegressionOptions{.samples = 20, .features = 4, .noise = 0}, 3);
  CHECK(data.y == data.X.times(*data.truth));
}

TEST_CASE("a column depends on its number and the seed only") {
  const DataSet small = load(GaussianRegressionOptions{.samples = 20, .features = 3}, 3);
  const DataSet large = load(GaussianRegressionOptions{.samples = 20, .features = 5}, 3);
  const DataSet other = load(GaussianRegressionOptions{.samples = 20, .features = 3}, 4);
  CHECK(large.X.dense().leftCols(3) == small.X.dense());
  CHECK(small.X.dense().col(2) == gaussian_column(20, 2, 3));
  CHECK((other.X.dense().array() != small.X.dense().array()).all());
}

TEST_CASE("the condition number scales columns geometrically and the scale all of them") {
  const DataSet plain = load(GaussianRegressionOptions{.samples = 30, .features = 5}, 9);
  const DataSet scaled =
      load(GaussianRegressionOptions{.samples = 30, .features = 5, .condition_number = 16, .scale = 3}, 9);
  const Matrix X = plain.X.dense(), Z = scaled.X.dense();
  // Variances 9 * 16^(-j/4) = 9, 4.5, 2.25, 1.125, 0.5625: standard deviations 3 * 2^(-j/2). Two roundings.
  for (Index j = 0; j < 5; ++j) {
    CHECK((Z.col(j) - 3 * std::exp2(-0.5 * count(j)) * X.col(j)).norm() <= 1e-15 * Z.col(j).norm());
  }
}

TEST_CASE("the truth has as many non-zeros as asked for and keeps its values") {
  const Vector full = gaussian_truth(40, std::nullopt, 5);
  CHECK((full.array() != 0).count() == 40);
  for (const Index nonzeros : {0, 1, 7, 40}) {
    const Vector theta = gaussian_truth(40, nonzeros, 5);
    CHECK((theta.array() != 0).count() == nonzeros);
    CHECK((theta.array() == 0 || theta.array() == full.array()).all());
  }
}

TEST_CASE("gaussian classification labels are signs, flipped as often as asked for") {
  const Index n = 4000;
  GaussianClassificationOptions options{.samples = n, .features = 6, .noise = 0, .scale = 2};
  const DataSet clean = load(options, 11);
  const Vector signs = clean.X.times(*clean.truth).unaryExpr([](double a) { return a >= 0 ? 1.0 : -1.0; });
  CHECK(clean.y == signs);
  options.label_flip_probability = 0.2;
  const DataSet flipped = load(options, 11);
  const double flips = count((flipped.y.array() != signs.array()).count());
  CHECK(std::abs(flips - 0.2 * count(n)) < sigmas * std::sqrt(count(n) * 0.2 * 0.8));  // binomial
  options.label_flip_probability = 1;
  CHECK(load(options, 11).y == -signs);
}

TEST_CASE("noise before the sign turns labels as the arctangent law says") {
  const Index n = 4000;
  const DataSet data = load(GaussianClassificationOptions{.samples = n, .features = 6, .noise = 1.5}, 11);
  const double wrong = count((data.X.times(*data.truth).array() * data.y.array() < 0).count());
  // Two centered normals of correlation r differ in sign with probability acos(r)/pi; here tan acos(r) = noise/|theta|.
  const double p = std::atan(1.5 / data.truth->norm()) / M_PI;
  CHECK(std::abs(wrong - p * count(n)) < sigmas * std::sqrt(count(n) * p * (1 - p)));
}

}  // namespace lagnet::gaussian_test
