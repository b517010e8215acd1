#include "algorithms/local/dual_gradient.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <memory>
#include <vector>

#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/central/problems.hpp"

namespace lagnet::dual_gradient_test {

namespace {

using testing::labels_for;
using testing::noisy_labels;
using testing::normal_matrix;

/// An agent's samples with all that a dual gradient refers to.
struct Own {
  DataMatrix X;
  Vector y;
  std::shared_ptr<const Loss> loss;
  double weight = 1, b = 0.1;
  OwnFunction f() const {
    return {.X = X, .y = VectorView(y.data(), y.size()), .loss = *loss, .weight = weight, .l2_weight = b};
  }
  Vector gradient(const Vector& theta) const {
    return weight / static_cast<double>(X.rows()) * X.transpose_times(loss->derivative(X.times(theta), y)) + b * theta;
  }
};

Own own(std::shared_ptr<const Loss> loss, Index n = 12, Index d = 4) {
  const Matrix X = normal_matrix(n, d, 3);
  const Vector y = labels_for(*loss, noisy_labels(X, 3));
  return {.X = DataMatrix(X), .y = y, .loss = std::move(loss)};
}

std::vector<Own> smooth_ones() {
  return {own(make_loss(SquaredOptions{})), own(make_loss(LogisticOptions{})),
          own(make_loss(HuberOptions{.threshold = 0.8})), own(make_loss(SmoothedHingeOptions{.gamma = 0.6}))};
}

}  // namespace

TEST_CASE("At the dual gradient the gradient equals the given vector") {
  for (Own one : smooth_ones())
    for (const double weight : {1.0, 0.4}) {
      one.weight = weight;
      DualGradient dual(one.f());
      if (dual.is_direct()) dual.factor();
      Vector theta = Vector::Zero(4);
      for (const double size : {0.0, 1e-3, 1.0, 20.0}) {
        CAPTURE(std::string(one.loss->kind()), weight, size);
        const Vector x = size * normal_matrix(4, 1, 5).col(0);
        dual.solve(x, theta);
        // Newton's bound, and a factor's rounding by a condition number below 100.
        CHECK((one.gradient(theta) - x).norm() <= 1e-12 * (1 + x.norm()) + 1e-13);
      }
    }
}

TEST_CASE("The dual gradient of the squared loss solves its normal equations") {
  const Own one = own(make_loss(SquaredOptions{}));
  DualGradient dual(one.f());
  dual.factor();
  const Vector x = normal_matrix(4, 1, 9).col(0);
  Vector theta = Vector::Zero(4);
  CHECK(dual.solve(x, theta) == Cost());
  const Matrix X = one.X.dense(), H = X.transpose() * X / 12 + 0.1 * Matrix::Identity(4, 4);
  CHECK((theta - testing::solve(H, x + X.transpose() * one.y / 12)).norm() < 1e-13);
}

TEST_CASE("Newton's steps reach theta itself to rounding, not only the rounding of function values") {
  const Own one = own(make_loss(LogisticOptions{}));
  const DualGradient dual(one.f());
  const Vector truth = normal_matrix(4, 1, 11).col(0);
  Vector theta = Vector::Zero(4);
  dual.solve(one.gradient(truth), theta);
  CHECK((theta - truth).norm() < 1e-12 * 10 * 4);  // the gradient to 1e-12, by the curvature, at least 0.1
}

TEST_CASE("Newton's steps are halved where whole ones would go too far") {
  // Far away the losses are straight: the curvature there is b alone, and a step 1000 times as long as the gradient.
  Own one = own(make_loss(LogisticOptions{}), 3, 2);
  one.X = DataMatrix(Matrix{{30, 0}, {0, 20}, {10, 10}});
  one.y = Vector::Ones(3);
  one.b = 1e-3;
  const DualGradient dual(one.f());
  Vector theta = Vector::Constant(2, -5);
  const Vector x{{0.5, -0.5}};
  const auto [steps, trials] = dual.newton(x, theta);
  CHECK(steps < 100);
  CHECK(trials > steps);
  CHECK((one.gradient(theta) - x).norm() <= 1e-12 * (1 + x.norm()));
}

TEST_CASE("A dual gradient costs its factor and its solutions by stored entries where samples are sparse") {
  const Own dense = own(make_loss(SquaredOptions{}));
  const DualGradient dual(dense.f());
  CHECK(dual.factor_work().flops == 12 * 4 * 5 + 2 * 12 * 4 + 64 / 3);
  CHECK(dual.solve_work().flops == 2 * 16 + 4);
  Own sparse = dense;
  const Matrix few{{1, 2, 0}, {0, 3, 0}, {0, 0, 0}};  // rows of 2, 1 and 0 stored entries
  sparse.X = DataMatrix(SparseMatrix(few.sparseView()));
  sparse.y = Vector::Ones(3);
  CHECK(DualGradient(sparse.f()).factor_work().flops == (2 * 3 + 1 * 2) + 2 * 3 + 27 / 3);
}

TEST_CASE("Newton's method is billed by its steps and trials and a solution that is there by one gradient") {
  const Own one = own(make_loss(LogisticOptions{}));
  const DualGradient dual(one.f());
  const Flops gradient = 4 * 12 * 4, factor = 2 * 12 * 16 + 64 / 3 + 2 * 16;
  CHECK(dual.solve_work().flops == gradient);
  Vector theta = Vector::Zero(4);
  const Vector x = one.gradient(Vector::Constant(4, 0.01));
  const Cost first = dual.solve(x, theta);
  Vector again = Vector::Zero(4);
  const auto [steps, trials] = dual.newton(x, again);
  CHECK(again == theta);
  CHECK((steps >= 2 && trials == steps));  // from so near no step is halved
  // The first of the gradients is that of solve_work().
  CHECK(first.flops == (steps + trials - 1) * gradient + steps * factor);
  CHECK(dual.solve(x, theta) == Cost());
}

TEST_CASE("Without a factor a dual gradient is nan") {
  Own one = own(make_loss(SquaredOptions{}), 3, 5);
  one.X = DataMatrix(Matrix(Matrix::Zero(3, 5)));
  one.b = 0;
  DualGradient dual(one.f());
  dual.factor();
  Vector theta = Vector::Zero(5);
  dual.solve(Vector::Ones(5), theta);
  CHECK(theta.array().isNaN().all());
  const Own other = own(make_loss(LogisticOptions{}));
  Vector from = Vector::Zero(4);
  DualGradient(other.f()).solve(Vector::Constant(4, std::numeric_limits<double>::infinity()), from);
  CHECK(from.array().isNaN().all());
}

}  // namespace lagnet::dual_gradient_test
