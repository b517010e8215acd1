#include "algorithms/local/dane_step.hpp"

#include <catch2/catch.hpp>
#include <memory>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::dane_step_test {

namespace {

using testing::labels_for;
using testing::noisy_labels;
using testing::normal_matrix;

struct Own {
  std::shared_ptr<const Loss> loss;
  Matrix A = normal_matrix(12, 4, 3);
  DataMatrix X = DataMatrix(A);
  Vector y = labels_for(*loss, noisy_labels(A, 3));
  OwnFunction f(double b) const {
    return {.X = X, .y = VectorView(y.data(), y.size()), .loss = *loss, .weight = 0.7, .l2_weight = b};
  }
  Vector gradient(const Vector& z, double b) const {
    return 0.7 / 12 * A.transpose() * loss->derivative(A * z, y) + b * z;
  }
};

std::vector<Own> both() { return {{make_loss(SquaredOptions{})}, {make_loss(LogisticOptions{})}}; }

}  // namespace

TEST_CASE("An agent's Hessian and value are those of differences of its gradients and values") {
  for (const Own& own : both())
    for (const double b : {0.0, 0.3}) {
      const OwnFunction f = own.f(b);
      const Vector x = normal_matrix(4, 1, 5).col(0), scores = own.A * x;
      const Matrix lower = f.hessian(scores), H = lower.selfadjointView<Eigen::Lower>();
      const double step = 1e-5;  // central differences err by its square, and by rounding over it
      for (Index j = 0; j < 4; ++j) {
        const Vector ahead = x + step * Vector::Unit(4, j), behind = x - step * Vector::Unit(4, j);
        CHECK((H.col(j) - (own.gradient(ahead, b) - own.gradient(behind, b)) / (2 * step)).norm() < 1e-8);
        CHECK(own.gradient(x, b)[j] ==
              Approx((f.value(ahead, own.A * ahead) - f.value(behind, own.A * behind)) / (2 * step)).margin(1e-8));
      }
    }
}

TEST_CASE("At a step of DANE the gradient and the pull to y equal g less s") {
  for (const Own& own : both())
    for (const double b : {0.0, 0.2})
      for (const double mu : {0.0, 0.5}) {
        if (!own.loss->is_squared() && b + mu == 0) continue;
        CAPTURE(std::string(own.loss->kind()), b, mu);
        DaneStep step(own.f(b), mu);
        if (step.is_direct()) step.factor();
        const Vector y = normal_matrix(4, 1, 6).col(0), s = normal_matrix(4, 1, 7).col(0) / 10, g = own.gradient(y, b);
        Vector z = Vector::Zero(4);
        step.solve(y, g, s, z);
        CHECK((own.gradient(z, b) + mu * (z - y) - (g - s)).norm() < 1e-12);
      }
}

TEST_CASE("A step of DANE costs its factor once and then a solution") {
  const Own squared{make_loss(SquaredOptions{})}, logistic{make_loss(LogisticOptions{})};
  const Index n = 12, d = 4;
  CHECK(DaneStep(squared.f(0.1), 0.2).factor_work().flops == n * d * (d + 1) + d + d * d * d / 3);
  CHECK(DaneStep(squared.f(0), 0).factor_work().flops == n * d * (d + 1) + d * d * d / 3);
  CHECK(DaneStep(squared.f(0), 0).solve_work().flops == 2 * d * d + d);
  CHECK(DaneStep(logistic.f(0.1), 0).solve_work().flops == 4 * n * d);
  CHECK(hessian_work(logistic.f(0.1)).flops == n * d * (d + 1) + n * d + 4 * n + d);
  CHECK(hessian_work(squared.f(0)).flops == n * d * (d + 1));
}

}  // namespace lagnet::dane_step_test
