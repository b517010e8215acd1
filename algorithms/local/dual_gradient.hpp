#pragma once

#include "algorithms/local/own_function.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// The gradient of the conjugate f* of a smooth and strongly convex f: x -> the theta with grad f(theta) = x (d). Of
/// the squared loss by a Cholesky factor of w X'X / n + b I that is made once. Of others by Newton's method from the
/// last theta, damped: a step is halved until |grad f(theta) - x| falls, which keeps the digits that a test of f itself
/// would lose. It ends at `enough` (1 + |x|), where 2^-20 of a step does not help, and after 100 steps. Source of the
/// dual method that needs it: K. Scaman, F. Bach, S. Bubeck, Y. T. Lee, L. Massoulie, ICML 2017; of damped steps: P.
/// Deuflhard, "Newton methods for nonlinear problems", 2004, section 3.
class DualGradient {
 public:
  /// The objects that it refers to must outlive it. The loss has one score a sample, and a smoothness.
  explicit DualGradient(const OwnFunction& f, double enough = 1e-12) : f_(f), enough_(enough) {}

  bool is_direct() const { return f_.loss.is_squared(); }
  /// To be called first where it is direct.
  void factor();
  /// theta (d): from the last one, where it is not direct. Returns what Newton's method took beyond solve_work(). Not a
  /// number where there is no factor: f is not strongly convex, or its data are not finite.
  Cost solve(VectorRef x, Eigen::Ref<Vector> theta) const;
  /// The same by Newton's method: how many steps it took, and how many shares of them were tried.
  struct Effort {
    Index steps = 0, trials = 0;
  };
  Effort newton(VectorRef x, Eigen::Ref<Vector> theta) const;

  /// n d (d + 1) flops for X'X, 2 n d for X'y, and floor(d^3 / 3); of sparse samples the first two by stored entries.
  Cost factor_work() const;
  /// 2 d^2 + d flops; else those of a gradient, 4 n d.
  Cost solve_work() const;
  /// Of the matrix that is factored, and of its factor.
  static Bytes memory(Index d) { return Bytes{sizeof(double)} * 2 * d * d; }

 private:
  Cost newton_work(Effort effort) const;

  Index d() const { return f_.X.cols(); }

  const OwnFunction f_;
  const double enough_;  // of 1 + |x|
  Vector X_y_;           // w X'y / n where it is direct (d)
  Cholesky cholesky_;
};

}  // namespace lagnet
