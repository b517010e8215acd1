#include "sim/numerics/decompositions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <utility>

#include "sim/base/array.hpp"
#include "sim/base/draws.hpp"

namespace lagnet::decompositions_test {

Matrix drawn(Index rows, Index cols) {
  Draws draws(1, Purpose("decompositions"));
  return Matrix::NullaryExpr(rows, cols, [&] { return draws.normal(); });
}

// Backward stable: a few roundings for each row and column, of entries and singular values below 20.
constexpr double rounding = 1e-13;

TEST_CASE("a symmetric matrix is the product of its eigenvectors and ascending eigenvalues") {
  const Matrix X = drawn(30, 30), A = X + X.transpose();
  const SymmetricEigen found = symmetric_eigen(A);
  CHECK((found.vectors * found.values.asDiagonal() * found.vectors.transpose() - A).norm() < 30 * rounding);
  CHECK((found.vectors.transpose() * found.vectors - Matrix::Identity(30, 30)).norm() < 30 * rounding);
  CHECK(std::ranges::is_sorted(found.values));
  CHECK((symmetric_eigenvalues(A).value() - found.values).norm() < 30 * rounding);
}

TEST_CASE("a matrix is the product of its singular vectors and descending values") {
  for (const auto& [rows, cols] : {std::pair<Index, Index>(40, 25), {25, 40}, {3, 3}}) {
    const Matrix A = drawn(rows, cols);
    const ThinSvd found = thin_svd(A);
    CHECK((found.U * found.s.asDiagonal() * found.V.transpose() - A).norm() < 40 * rounding);
    CHECK(std::ranges::is_sorted(found.s, std::greater()));
    CHECK((singular_values(A) - found.s).norm() < 40 * rounding);
    CHECK((singular_values_by_rotations(A) - found.s).norm() < 40 * rounding);
  }
}

TEST_CASE("Householder's R and Q'b have the inner products of A and b") {
  const Matrix A = drawn(40, 25);
  const Vector b = A.col(3) + Vector::Ones(40);
  const auto [R, Q_b] = householder_qr(A, b);
  CHECK((R.transpose() * R - A.transpose() * A).norm() < 40 * 20 * rounding);
  CHECK((R.transpose() * Q_b.head(25) - A.transpose() * b).norm() < 40 * 20 * rounding);
  CHECK(Q_b.norm() == Approx(b.norm()).epsilon(rounding));
}

TEST_CASE("a pivoted QR finds which columns are combinations of others") {
  Matrix A(30, 5);
  A.leftCols(3) = drawn(30, 3);
  A.col(3) = A.col(0) - 2 * A.col(2);
  A.col(4) = 3 * A.col(1);
  const auto [rank, order, R] = pivoted_qr(A, 1e-12);
  REQUIRE(rank == 3);
  Matrix ordered(30, 5);
  for (Index k = 0; k < 5; ++k) ordered.col(k) = A.col(order[static_cast<std::size_t>(k)]);
  CHECK((R.transpose() * R - ordered.transpose() * ordered).norm() < 30 * 20 * rounding);
}

TEST_CASE("least squares finds the solution of least norm") {
  Matrix A(30, 4);
  A.leftCols(3) = drawn(30, 3);
  A.col(3) = A.col(2);  // so that x and x + (0, 0, t, -t) fit alike, and t = 0 has the least norm where x_2 = x_3
  Vector x(4);
  x << 1, -2, 0.5, 0.5;
  CHECK((least_squares_of_least_norm(A, A * x) - x).norm() < 30 * rounding);
}

TEST_CASE("a matrix that is not finite has no eigenvalues") {
  Matrix A = Matrix::Identity(3, 3);
  A(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_FALSE(symmetric_eigenvalues(A));
}

}  // namespace lagnet::decompositions_test
