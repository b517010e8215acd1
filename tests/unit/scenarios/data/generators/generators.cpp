#include <Eigen/LU>
#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <cmath>

#include "scenarios/data/generators/chi_square.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::data_generators_test {
namespace {

// A sample mean strays by more than five standard errors with probability 6e-7; seeds are fixed, so a test that passes
// once always passes.
constexpr double sigmas = 5;

double count(Index n) { return static_cast<double>(n); }

/// The largest distance of the sample's distribution function from the chi-square one of `degrees` degrees, over the
/// distance that the inequality of Dvoretzky, Kiefer, Wolfowitz and Massart allows with probability 1 - 6e-7.
double distance_from_chi_square(std::vector<double> sample, Index degrees) {
  std::sort(sample.begin(), sample.end());
  const boost::math::chi_squared law(count(degrees));
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double p = cdf(law, sample[i]);
    distance = std::max({distance, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return distance / std::sqrt(std::log(2 / 6e-7) / (2 * n));
}

TEST_CASE("chi-square draws follow the chi-square law") {
  for (const Index degrees : {1, 2, 3, 10, 16384}) {
    Draws draws(7, Purpose{"test"}, static_cast<AgentId>(degrees));
    std::vector<double> sample(20000);
    for (double& value : sample) value = chi_square(draws, degrees);
    INFO(degrees << " degrees");
    CHECK(distance_from_chi_square(sample, degrees) < 1);
    // The test sees a law that is off by one degree.
    if (degrees <= 10) CHECK(distance_from_chi_square(sample, degrees + 1) > 1);
  }
}

TEST_CASE("gaussian regression has standard normal entries, truth and noise") {
  const GaussianRegressionOptions options{.samples = 400, .features = 50, .noise = 0.5};
  const DataSet data = load(options, "", 3);
  const Matrix& X = *data.X.as_dense();
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
  const DataSet data = load(GaussianRegressionOptions{.samples = 20, .features = 4, .noise = 0}, "", 3);
  CHECK(data.y == data.X.times(*data.truth));
}

TEST_CASE("a column depends on its number and the seed only") {
  const DataSet small = load(GaussianRegressionOptions{.samples = 20, .features = 3}, "", 3);
  const DataSet large = load(GaussianRegressionOptions{.samples = 20, .features = 5}, "", 3);
  const DataSet other = load(GaussianRegressionOptions{.samples = 20, .features = 3}, "", 4);
  CHECK(large.X.dense().leftCols(3) == small.X.dense());
  CHECK(small.X.dense().col(2) == gaussian_column(20, 2, 3));
  CHECK((other.X.dense().array() != small.X.dense().array()).all());
}

TEST_CASE("the condition number scales columns geometrically and the scale all of them") {
  const DataSet plain = load(GaussianRegressionOptions{.samples = 30, .features = 5}, "", 9);
  const DataSet scaled =
      load(GaussianRegressionOptions{.samples = 30, .features = 5, .condition_number = 16, .scale = 3}, "", 9);
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
  const DataSet clean = load(options, "", 11);
  const Vector signs = clean.X.times(*clean.truth).unaryExpr([](double a) { return a >= 0 ? 1.0 : -1.0; });
  CHECK(clean.y == signs);
  options.label_flip_probability = 0.2;
  const DataSet flipped = load(options, "", 11);
  const double flips = count((flipped.y.array() != signs.array()).count());
  CHECK(std::abs(flips - 0.2 * count(n)) < sigmas * std::sqrt(count(n) * 0.2 * 0.8));  // binomial
  options.label_flip_probability = 1;
  CHECK(load(options, "", 11).y == -signs);
}

TEST_CASE("noise before the sign turns labels as the arctangent law says") {
  const Index n = 4000;
  const DataSet data = load(GaussianClassificationOptions{.samples = n, .features = 6, .noise = 1.5}, "", 11);
  const double wrong = count((data.X.times(*data.truth).array() * data.y.array() < 0).count());
  // Two centered normals of correlation r differ in sign with probability acos(r)/pi; here tan acos(r) = noise/|theta|.
  const double p = std::atan(1.5 / data.truth->norm()) / M_PI;
  CHECK(std::abs(wrong - p * count(n)) < sigmas * std::sqrt(count(n) * p * (1 - p)));
}

TEST_CASE("rotating the rows keeps the Gram matrix and every objective value") {
  const DataSet full = load(GaussianRegressionOptions{.samples = 60, .features = 7, .scale = 2}, "", 13);
  const DataSet reduced = rotated(full);
  REQUIRE(reduced.X.rows() == 8);
  CHECK(reduced.samples == 60);
  const Matrix X = full.X.dense(), R = reduced.X.dense();
  CHECK(R.isUpperTriangular(0));
  CHECK(R.diagonal().minCoeff() > 0);
  // Householder QR is backward stable with an error of a small multiple of n d eps |X|, here 1e-13.
  const double tolerance = 1e-12;
  CHECK((R.transpose() * R - X.transpose() * X).norm() < tolerance * X.squaredNorm());
  for (Index trial = 0; trial < 5; ++trial) {
    const Vector theta = gaussian_column(7, trial, 99);
    const double expected = (full.X.times(theta) - full.y).squaredNorm();
    CHECK((reduced.X.times(theta) - reduced.y).squaredNorm() == Approx(expected).epsilon(tolerance));
  }
}

TEST_CASE("data with no more rows than columns cannot be rotated") {
  const DataSet square = load(GaussianRegressionOptions{.samples = 3, .features = 3}, "", 1);
  CHECK_THROWS_AS(rotated(square), DataError);
}

TEST_CASE("rotated regression and gaussian regression follow the same laws") {
  const Index n = 9, d = 5;
  const double noise = 0.5, scale = 2;
  std::vector<double> trace[2], first[2], last[2], errors[2], residual[2];
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const DataSet sets[] = {
        load(RotatedRegressionOptions{.samples = n, .features = d, .noise = noise, .scale = scale}, "", seed),
        load(GaussianRegressionOptions{.samples = n, .features = d, .noise = noise, .scale = scale}, "", seed)};
    for (int k = 0; k < 2; ++k) {
      const Matrix X = sets[k].X.dense() / scale;
      const Matrix inverse = (X.transpose() * X).inverse();
      const Vector error = (sets[k].y - scale * X * *sets[k].truth) / noise;
      const Vector fit = X.transpose() * error;
      const double explained = fit.dot(inverse * fit);
      trace[k].push_back(X.squaredNorm());
      first[k].push_back(1 / inverse(0, 0));
      last[k].push_back(1 / inverse(d - 1, d - 1));
      errors[k].push_back(explained);
      residual[k].push_back(error.squaredNorm() - explained);
    }
  }
  for (int k = 0; k < 2; ++k) {
    INFO((k == 0 ? "rotated" : "gaussian"));
    // X'X is Wishart(n, I): its trace is a chi-square of nd degrees, 1/(X'X)^-1_jj one of n-d+1 (Muirhead, Aspects of
    // Multivariate Statistical Theory, theorem 3.2.11); the noise in the span of X and outside it has d and n-d
    // degrees.
    CHECK(distance_from_chi_square(trace[k], n * d) < 1);
    CHECK(distance_from_chi_square(first[k], n - d + 1) < 1);
    CHECK(distance_from_chi_square(last[k], n - d + 1) < 1);
    CHECK(distance_from_chi_square(errors[k], d) < 1);
    CHECK(distance_from_chi_square(residual[k], n - d) < 1);
  }
}

TEST_CASE("rotated regression has the announced shape") {
  const DataSet data = load(RotatedRegressionOptions{.samples = 16384, .features = 20}, "", 1);
  const Matrix R = data.X.dense();
  CHECK(data.samples == 16384);
  CHECK(R.rows() == 21);
  CHECK(data.y.size() == 21);
  CHECK(R.isUpperTriangular(0));
  CHECK(R.row(20).isZero(0));
  // sqrt(chi^2_k) has mean within 1/(4 sqrt k) of sqrt k and standard deviation below 1/sqrt 2.
  for (Index i = 0; i < 20; ++i)
    CHECK(std::abs(R(i, i) - std::sqrt(16384.0 - count(i))) < sigmas / std::sqrt(2.0) + 0.01);
  const DataSet exact = load(RotatedRegressionOptions{.samples = 100, .features = 4, .noise = 0}, "", 1);
  CHECK(exact.y == exact.X.times(*exact.truth));
}

}  // namespace
}  // namespace lagnet::data_generators_test
