#include "scenarios/data/generators/rotated.hpp"

#include <cmath>

#include "scenarios/data/generators/gaussian.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/data/generators/laws.hpp"

namespace lagnet::rotated_test {

using namespace laws;

TEST_CASE("rotating the rows keeps the Gram matrix and every objective value") {
  const DataSet full = load(GaussianRegressionOptions{.samples = 60, .features = 7, .scale = 2}, 13);
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

TEST_CASE("rotation refuses data with no more rows than columns") {
  const DataSet square = load(GaussianRegressionOptions{.samples = 3, .features = 3}, 1);
  CHECK_THROWS_AS(rotated(square), Diagnosed);
}

TEST_CASE("rotated regression and gaussian regression follow the same laws") {
  const Index n = 9, d = 5;
  const double noise = 0.5, scale = 2;
  std::vector<double> trace[2], first[2], last[2], errors[2], residual[2];
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const DataSet sets[] = {
        load(RotatedRegressionOptions{.samples = n, .features = d, .noise = noise, .scale = scale}, seed),
        load(GaussianRegressionOptions{.samples = n, .features = d, .noise = noise, .scale = scale}, seed)};
    for (int k = 0; k < 2; ++k) {
      const Matrix X = sets[k].X.dense() / scale;
      const Matrix inverse = testing::inverse(X.transpose() * X);
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
  const DataSet data = load(RotatedRegressionOptions{.samples = 16384, .features = 20}, 1);
  const Matrix R = data.X.dense();
  CHECK(data.samples == 16384);
  CHECK(R.rows() == 21);
  CHECK(data.y.size() == 21);
  CHECK(R.isUpperTriangular(0));
  CHECK(R.row(20).isZero(0));
  // sqrt(chi^2_k) has mean within 1/(4 sqrt k) of sqrt k and standard deviation below 1/sqrt 2.
  for (Index i = 0; i < 20; ++i)
    CHECK(std::abs(R(i, i) - std::sqrt(16384.0 - count(i))) < sigmas / std::sqrt(2.0) + 0.01);
  const DataSet exact = load(RotatedRegressionOptions{.samples = 100, .features = 4, .noise = 0}, 1);
  CHECK(exact.y == exact.X.times(*exact.truth));
}

}  // namespace lagnet::rotated_test
