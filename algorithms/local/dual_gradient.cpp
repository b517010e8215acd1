#include "algorithms/local/dual_gradient.hpp"

#include <cmath>
#include <limits>

namespace lagnet {

namespace {

constexpr double least_share = 0x1p-20;
constexpr Index most_newton_steps = 100;

Vector no_number(Index d) { return Vector::Constant(d, std::numeric_limits<double>::quiet_NaN()); }

}  // namespace

void DualGradient::factor() {
  cholesky_.factor(f_.hessian());
  X_y_ = f_.scale() * f_.X.transpose_times(f_.y);
}

Cost DualGradient::solve(VectorRef x, Eigen::Ref<Vector> theta) const {
  if (!is_direct()) return newton_work(newton(x, theta));
  if (cholesky_.succeeded())
    theta = cholesky_.solve(x + X_y_);
  else
    theta = no_number(d());
  return {};
}

DualGradient::Effort DualGradient::newton(VectorRef x, Eigen::Ref<Vector> theta) const {
  Effort effort;
  const auto residual = [&](const Vector& at, const Vector& scores) -> Vector {
    return f_.scale() * f_.X.transpose_times(f_.loss.derivative(scores, f_.y)) + f_.l2_weight * at - x;
  };
  Vector at = theta, scores = f_.X.times(at), r = residual(at, scores);  // r: grad f - x   (d)
  double norm = r.norm();
  bool falls = true;
  while (falls && norm > enough_ * (1 + x.norm()) && effort.steps < most_newton_steps) {
    ++effort.steps;
    const Cholesky cholesky(f_.hessian(scores));
    if (!cholesky.succeeded()) {
      at = no_number(d());
      break;
    }
    const Vector p = cholesky.solve(r);
    falls = false;
    for (double t = 1; !falls && t >= least_share; t /= 2) {
      ++effort.trials;
      const Vector moved = at - t * p, moved_scores = f_.X.times(moved), left = residual(moved, moved_scores);
      falls = left.norm() < norm;
      if (!falls) continue;
      at = moved;
      scores = moved_scores;
      r = left;
      norm = r.norm();
    }
  }
  theta = std::isfinite(norm) ? at : no_number(d());
  return effort;
}

Cost DualGradient::factor_work() const {
  const Bytes factor = Bytes{sizeof(double)} * d() * d();
  return {products_of_rows(f_.X) + 3 * f_.X.nonzeros() + cholesky_flops(d()), 2 * f_.X.bytes() + factor};
}

Cost DualGradient::solve_work() const {
  if (!is_direct()) return {4 * f_.X.nonzeros(), 2 * f_.X.bytes()};
  return {solution_flops(d()) + d(), Bytes{sizeof(double)} * (d() * d() + 3 * d())};
}

/// A step: a gradient, the second derivatives, a factor and its use; a trial: a gradient. The first gradient is that of
/// solve_work().
Cost DualGradient::newton_work(Effort effort) const {
  const auto [steps, trials] = effort;
  const Index gradients = steps + trials - (steps > 0 ? 1 : 0), factors = steps;
  const Flops flops = gradients * 4 * f_.X.nonzeros() +
                      factors * (2 * products_of_rows(f_.X) + cholesky_flops(d()) + solution_flops(d()));
  return {flops, (2 * gradients + factors) * f_.X.bytes() + factors * Bytes{sizeof(double)} * d() * d()};
}

}  // namespace lagnet
