#include "algorithms/central/hessian.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::hessian_test {

TEST_CASE("After 2000 steps of conjugate gradients systems are solved by the products of the curved rows") {
  // 40 rows whose lengths fall by two decades, mixed: eigenvalues over four.
  constexpr Index n = 40, k = 2100;
  const Matrix mixed = testing::orthogonal_factor(testing::normal_matrix(n, n, 6));
  const Vector lengths =
      Vector::NullaryExpr(n, [](Index i) { return std::pow(10.0, -2.0 * static_cast<double>(i) / n); });
  const Matrix x = mixed * lengths.asDiagonal() * testing::normal_matrix(n, k, 5);
  const Vector curvature = Vector::NullaryExpr(n, [](Index i) { return i % 4 == 0 ? 0.0 : 1.0; });
  const Vector right = x.transpose() * Vector::Ones(n);
  const auto loss = make_loss(SmoothedHingeOptions{.gamma = 1});
  const double l2 = 1e-4;
  for (const DataMatrix& A : {DataMatrix(x), DataMatrix(SparseMatrix(x.sparseView()))}) {
    const FaceProblem face{A, Vector::Ones(n), n, *loss, 0, l2};
    Hessian hessian(face);
    hessian.set(curvature);
    double shift = 0, error = 1;
    int solved = 0;
    for (; error > 1e-8 && solved < 2000; ++solved) {
      const Vector p = hessian.solve(right, shift);
      error = (x.transpose() * curvature.cwiseProduct(x * p) / n + l2 * p - right).norm() / right.norm();
      REQUIRE(error < 2e-3);  // conjugate gradients stop at 1e-3 by their own account of the residual
    }
    CHECK(solved > 1);
    // c is six decades below the largest eigenvalue: of 1e-16 of that, 1e-10 are left of what c takes part in.
    CHECK(error < 1e-8);
    CHECK_FALSE(hessian.exhausted());
  }
}

}  // namespace lagnet::hessian_test
