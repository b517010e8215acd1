#pragma once

#include <cstdint>

#include "algorithms/kernels/row_block.hpp"
#include "algorithms/objectives/loss.hpp"
#include "sim/base/compute_cost.hpp"

namespace lagnet {

/// The prox of a mean loss over an agent's n_k samples, to a stated accuracy:
///
///     x* = argmin over x of h(x) = pi L_k(x) + (rho/2) |x - v|^2
///
/// by gradient steps with constant momentum, which end at a z with |grad h(z)| <= rho accuracy: since h is
/// rho-strongly convex, |z - x*| <= accuracy. With kappa = (L + rho) / rho, L the curvature of pi L_k, that takes of
/// the order of sqrt(kappa) log(1 / accuracy) gradients; they also end after twice as many as theory asks for, so that
/// rounding cannot keep them for ever, and where numbers are no longer finite. A million gradients are the most that a
/// solution may take.
/// Source: Nesterov, "Introductory lectures on convex optimization" (2004), section 2.2.1, constant step scheme III.
class SmoothProx {
 public:
  /// `loss` needs a smoothness; pi > 0, L >= 0, rho > 0, accuracy > 0.
  SmoothProx(const Loss& loss, double pi, double L, double rho, double accuracy)
      : loss_(loss), pi_(pi), L_(L), rho_(rho), accuracy_(accuracy) {}

  /// From x (dim), which becomes the result, for v (dim). Returns how many gradients that took. Throws WorldLimit where
  /// they are too many.
  Index solve(const RowBlock& samples, VectorRef v, Vector& x) const;
  /// The cost of one gradient and the step after it: c_g + 11 dim flops.
  Cost work_of_gradient(const RowBlock& samples) const;

 private:
  Index most_gradients(double first_norm) const;

  const Loss& loss_;
  double pi_, L_, rho_, accuracy_;
};

}  // namespace lagnet
