#include "sim/numerics/cholesky.hpp"

#include <catch2/catch.hpp>

namespace lagnet::cholesky_test {

// Powers of 2: all roots, products and quotients below are exact.
TEST_CASE("a factor solves for many right sides and reads only the lower triangle") {
  Matrix A(2, 2);
  A << 4, 99, 2, 5;  // [4 2; 2 5] = L L' with L = [2 0; 1 2]
  const Cholesky factor(A);
  REQUIRE(factor.succeeded());
  CHECK(factor.solve(Vector::Unit(2, 0)) == Eigen::Vector2d(5 / 16.0, -2 / 16.0));
  CHECK(factor.solve(Eigen::Vector2d(6, 7)) == Eigen::Vector2d(1, 1));
}

TEST_CASE("the reciprocal condition of a diagonal matrix is its smallest entry over its largest") {
  CHECK(Cholesky(Eigen::Vector3d(16, 1, 4).asDiagonal()).reciprocal_condition() == 1 / 16.0);
}

TEST_CASE("a matrix that is not positive definite has no factor until another one is given") {
  Cholesky factor(Eigen::Vector2d(1, -1).asDiagonal());
  CHECK_FALSE(factor.succeeded());
  factor.factor(Matrix::Identity(2, 2));
  CHECK(factor.succeeded());
}

}  // namespace lagnet::cholesky_test
