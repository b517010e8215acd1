#include "algorithms/central/bounded_least_squares.hpp"

#include <catch2/catch.hpp>

#include <limits>

#include "sim/base/draws.hpp"

namespace lagnet::bounded_least_squares_test {

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}

TEST_CASE("without limits the point that keeps constraints is the one of least norm") {
  const Matrix B{{1, 1, 0}, {0, 0, 2}};
  const Vector none = Vector::Constant(3, infinity);
  const Vector x = bounded_least_squares(B, Eigen::Vector2d(4, 6), -none, none);
  CHECK((x - Vector(Eigen::Vector3d(2, 2, 3))).norm() < 1e-14);
}

TEST_CASE("a point within limits keeps the constraints where there is one, also at the end of all limits") {
  const Matrix B{{1, 1, 1}};
  const Vector low = Eigen::Vector3d(0, 1, -2), high = Eigen::Vector3d(1, 3, 5);
  for (const double b : {-1.0, 0.0, 2.5, 8.9, 9.0}) {
    const Vector x = bounded_least_squares(B, Vector{{b}}, low, high);
    CHECK(std::abs(x.sum() - b) < 1e-14);
    CHECK((x.array() >= low.array()).all());
    CHECK((x.array() <= high.array()).all());
  }
}

TEST_CASE("where no point keeps the constraints, the slopes point out of the limits") {
  Draws draws(3, Purpose{"test"});
  for (int k = 0; k < 20; ++k) {
    Matrix B(4, 9);
    for (double& entry : B.reshaped()) entry = draws.normal();
    Vector b(4);
    for (double& entry : b) entry = 10 * draws.normal();
    const Vector low = Vector::Constant(9, -0.5), high = Vector::Constant(9, 0.75);
    const Vector x = bounded_least_squares(B, b, low, high);
    const Vector missing = b - B * x, slopes = B.transpose() * missing;  // it falls along them
    const Vector terms = B.cwiseAbs().transpose() * missing.cwiseAbs();  // what rounding is relative to
    for (Index j = 0; j < 9; ++j) {
      CAPTURE(k, j);
      CHECK((std::abs(slopes[j]) <= 1e-9 * terms[j] || x[j] == (slopes[j] > 0 ? high[j] : low[j])));
    }
  }
}

}  // namespace lagnet::bounded_least_squares_test
