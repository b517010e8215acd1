#include "algorithms/central/hessian.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::hessian_test {

TEST_CASE("Systems that conjugate gradients do not solve are solved by the products of the curved rows") {
  // 40 rows whose lengths fall by 14 decades: more than 2000 steps for the last of them.
  constexpr Index n = 40, k = 2100;
  Matrix x = testing::normal_matrix(n, k, 5);
  const Matrix mixed = testing::normal_matrix(n, n, 6).householderQr().householderQ();
  x = mixed *
      Vector::NullaryExpr(n, [](Index i) { return std::pow(10.0, -7.0 * static_cast<double>(i) / n); }).asDiagonal() *
      x;
  const Vector curvature = Vector::NullaryExpr(n, [](Index i) { return i % 4 == 0 ? 0.0 : 1.0; });
  const Vector right = x.transpose() * Vector::Ones(n);
  const auto loss = make_loss(SmoothedHingeOptions{.gamma = 1});
  const DataMatrix dense(x), sparse(SparseMatrix(x.sparseView()));
  for (const DataMatrix& A : {dense, sparse}) {
    const double l2 = 1e-10;
    const FaceProblem face{A, Vector::Ones(n), n, *loss, 0, l2};
    Hessian hessian(face);
    hessian.set(curvature);
    double shift = 0;
    const Vector p = hessian.solve(right, shift);
    const Vector image = x.transpose() * curvature.cwiseProduct(x * p) / n + l2 * p;
    // c is 13 decades below the largest eigenvalue, which leaves three digits.
    CHECK((image - right).norm() < 1e-3 * right.norm());
    CHECK_FALSE(hessian.exhausted());
  }
}

}  // namespace lagnet::hessian_test
