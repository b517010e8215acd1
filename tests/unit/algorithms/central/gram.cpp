#include "algorithms/central/gram.hpp"

#include <catch2/catch.hpp>

#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::gram_test {

using namespace lagnet::testing;

TEST_CASE("The spectral norm of small matrices is the largest singular value") {
  for (const auto& [n, d] : {std::pair<Index, Index>{20, 7}, {7, 20}, {9, 9}, {1, 1}, {1, 5}, {5, 1}}) {
    const Matrix x = normal_matrix(n, d, 2);
    const double expected = singular_values_by_rotations(x)[0];
    CHECK(spectral_norm(DataMatrix(x)) == Approx(expected).epsilon(1e-13));  // sums of at most 20 terms
    CHECK(spectral_norm(DataMatrix(SparseMatrix(x.sparseView()))) == Approx(expected).epsilon(1e-13));
  }
  CHECK(spectral_norm(DataMatrix(Matrix::Zero(4, 3))) == 0);
}

TEST_CASE("The Lanczos method finds the spectral norm of matrices with known singular values") {
  // Q D P with orthogonal Q and P: reflections. Two singular values differ by 1e-4 of their size only.
  const Index n = 700, d = 600;
  Vector sigma = Vector::LinSpaced(d, 0.1, 2.9);
  sigma[17] = 3;
  sigma[18] = 3 - 3e-4;
  const Vector u = normal_matrix(n, 1, 5).col(0).normalized(), v = normal_matrix(d, 1, 6).col(0).normalized();
  Matrix x = Matrix::Zero(n, d);
  x.diagonal() = sigma;
  x -= 2 * u * (u.transpose() * x).eval();
  x -= 2 * (x * v).eval() * v.transpose();
  CHECK(spectral_norm(DataMatrix(x)) == Approx(3).epsilon(1e-12));  // what the declaration promises
  const Matrix transposed = x.transpose();
  CHECK(spectral_norm(DataMatrix(transposed)) == Approx(3).epsilon(1e-12));
  CHECK(spectral_norm(DataMatrix(SparseMatrix(x.sparseView()))) == Approx(3).epsilon(1e-12));
  CHECK(spectral_norm(DataMatrix(SparseMatrix(transposed.sparseView()))) == Approx(3).epsilon(1e-12));
}

TEST_CASE("A largest singular value that all directions share does not stop the Lanczos method") {
  CHECK(spectral_norm(DataMatrix(Matrix(2 * Matrix::Identity(600, 550)))) == Approx(2).epsilon(1e-12));
}

TEST_CASE("The spectral norm of a matrix with few different singular values is not made of rounding errors") {
  // Of rank one: |u| |v|. The Lanczos method has two vectors at most.
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    Vector u = normal_matrix(700, 1, seed).col(0), v = normal_matrix(900, 1, seed + 9).col(0);
    if (seed > 2) v.setConstant(3);
    if (seed > 3) u.setOnes();
    const Matrix x = u * v.transpose();
    CHECK(spectral_norm(DataMatrix(x)) == Approx(u.norm() * v.norm()).epsilon(1e-12));
    CHECK(spectral_norm(DataMatrix(SparseMatrix(x.sparseView()))) == Approx(u.norm() * v.norm()).epsilon(1e-12));
  }
}

TEST_CASE("The spectral norm is the same in every run, bit for bit") {
  const DataMatrix x(normal_matrix(800, 600, 7));
  CHECK(spectral_norm(x) == spectral_norm(x));
}

}  // namespace lagnet::gram_test
