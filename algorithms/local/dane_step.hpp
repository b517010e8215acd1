#pragma once

#include <optional>

#include "algorithms/local/dual_gradient.hpp"
#include "algorithms/local/own_function.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// For many y and s (d), g the gradient of one agent's f at y:
///
///     z = argmin over z of f(z) - (g - s)'z + (mu/2) |z - y|^2,   that is grad f(z) + mu (z - y) = g - s,
///
/// a Newton step of a quadratic f and of others what an agent finds if it believes that all gradients differ from its
/// own by s alone. Of the squared loss y - (hess f + mu I)^-1 s, by a Cholesky factor that is made once; of others by
/// Newton's method from y, as DualGradient does it, to 1e-13. Source: Shamir, Srebro, Zhang, "Communication-efficient
/// distributed optimization using an approximate Newton-type method", ICML 2014.
class DaneStep {
 public:
  /// The objects that it refers to must outlive it; mu >= 0, and f is strongly convex where it is 0.
  DaneStep(const OwnFunction& f, double mu) : f_(with_square(f, mu)), mu_(mu), dual_(f_, 1e-13) {}

  bool is_direct() const { return dual_.is_direct(); }
  /// To be called first where it is direct.
  void factor() { cholesky_.factor(f_.hessian()); }
  /// z (d). Returns what Newton's method took beyond solve_work(). Not a number where there is no factor.
  Cost solve(VectorRef y, VectorRef g, VectorRef s, Eigen::Ref<Vector> z) const;

  /// n d (d + 1) flops, d for what is added to the diagonal, and floor(d^3 / 3).
  Cost factor_work() const;
  /// 2 d^2 + d flops; else those of a gradient, 4 n d.
  Cost solve_work() const { return dual_.solve_work(); }
  static Bytes memory(Index d) { return DualGradient::memory(d); }

 private:
  static OwnFunction with_square(OwnFunction f, double mu) {
    f.l2_weight += mu;
    return f;
  }

  const OwnFunction f_;  // with mu in its square
  double mu_;
  const DualGradient dual_;
  Cholesky cholesky_;
};

}  // namespace lagnet
