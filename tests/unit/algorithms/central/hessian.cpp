#include "algorithms/central/hessian.hpp"

#include <Eigen/QR>
#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::hessian_test {

TEST_CASE("What conjugate gradients do not solve in 2000 steps is solved next by the products of the curved rows") {
  // 40 rows whose lengths fall by seven decades, mixed: eigenvalues over fourteen.
  constexpr Index n = 40, k = 2100;
  const Matrix mixed = testing::normal_matrix(n, n, 6).householderQr().householderQ();
  const Vector lengths =
      Vector::NullaryExpr(n, [](Index i) { return std::pow(10.0, -7.0 * static_cast<double>(i) / n); });
  const Matrix x = mixed * lengths.asDiagonal() * testing::normal_matrix(n, k, 5);
  const Vector curvature = Vector::NullaryExpr(n, [](Index i) { return i % 4 == 0 ? 0.0 : 1.0; });
  const Vector right = x.transpose() * Vector::Ones(n);
  const auto loss = make_loss(SmoothedHingeOptions{.gamma = 1});
  const double l2 = 1e-10;
  for (const DataMatrix& A : {DataMatrix(x), DataMatrix(SparseMatrix(x.sparseView()))}) {
    const FaceProblem face{A, Vector::Ones(n), n, *loss, 0, l2};
    Hessian hessian(face);
    hessian.set(curvature);
    double shift = 0;
    const auto error = [&](const Vector& p) {
      const Vector image = x.transpose() * curvature.cwiseProduct(x * p) / n + l2 * p;
      return (image - right).norm() / right.norm();
    };
    CHECK(error(hessian.solve(right, shift)) > 1e-3);
    // c is twelve decades below the largest eigenvalue: 1e-16 of it are 1e-4 of what c takes part in.
    CHECK(error(hessian.solve(right, shift)) < 1e-4);
    CHECK_FALSE(hessian.exhausted());
  }
}

}  // namespace lagnet::hessian_test
