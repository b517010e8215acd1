#include "algorithms/local/smooth_prox.hpp"

#include <cmath>

#include "algorithms/central/gram.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::smooth_prox_test {

using namespace lagnet::test;

namespace {

struct Local {
  Problem problem = random_problem(20, 4);
  double pi = 0.4;
  RowBlock samples() const { return {std::make_shared<const SampleRows>(*problem.X, problem.y), 0, problem.samples}; }
  double L() const {
    const double norm = spectral_norm(*problem.X);
    return pi * problem.loss->smoothness().value() * norm * norm / 20;
  }
  Vector solve(double rho, double accuracy, const Vector& v, Index* count = nullptr) const {
    Vector x = Vector::Zero(4);
    const Index gradients = SmoothProx(*problem.loss, pi, L(), rho, accuracy).solve(samples(), v, x);
    if (count) *count = gradients;
    return x;
  }
};

}  // namespace

TEST_CASE("the result is within the stated distance of the exact prox") {
  const Local local;
  const Vector v = Vector::LinSpaced(4, -1, 1);
  const Matrix X = local.problem.X->dense();
  for (const double rho : {0.01, 1.0}) {
    const Matrix H = local.pi * X.transpose() * X / 20 + rho * Matrix::Identity(4, 4);
    const Vector exact = testing::solve(H, local.pi * X.transpose() * local.problem.y / 20 + rho * v);
    for (const double accuracy : {1e-2, 1e-6, 1e-12})
      CHECK((local.solve(rho, accuracy, v) - exact).norm() <= accuracy + 1e-14);  // and the rounding of the exact one
  }
}

TEST_CASE("a result beyond rounding ends all the same, as do numbers that are not finite") {
  Local local;
  local.problem.loss = make_loss(LogisticOptions{});
  local.problem.y = local.problem.y.unaryExpr([](double y) { return y > 0 ? 1.0 : -1.0; });
  Index gradients = 0;
  const Vector v = Vector::LinSpaced(4, -1, 1), x = local.solve(0.01, 1e-30, v, &gradients);
  CHECK((x - local.solve(0.01, 1e-12, v)).norm() < 1e-11);
  // Twice sqrt(kappa) log(2 kappa ratio^2) with kappa below 100 and a ratio below 1e33, and ten.
  CHECK(gradients < 2 * 10 * 160 + 10);
  local.solve(0.01, 1e-12, Vector::Constant(4, NAN), &gradients);
  CHECK(gradients == 1);
}

TEST_CASE("a penalty that makes the prox too hard is refused after a million gradients, with how hard it is") {
  const Local local;
  CHECK_THROWS_WITH(local.solve(1e-15, 1e-8, Vector::Zero(4)), Catch::Contains("not found in a million gradients"));
}

}  // namespace lagnet::smooth_prox_test
