#include "sim/base/decompositions.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <utility>

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

TEST_CASE("a matrix that is not finite has no eigenvalues") {
  Matrix A = Matrix::Identity(3, 3);
  A(1, 1) = std::numeric_limits<double>::infinity();
  CHECK_FALSE(symmetric_eigenvalues(A));
}

}  // namespace lagnet::decompositions_test
