#pragma once

#include <memory>
#include <string_view>

#include "algorithms/objectives/prox.hpp"

namespace lagnet {

/// r(theta) = a R(theta), R a norm, a >= 0. Its conjugate is the indicator of the ball of radius a of the dual norm R*.
/// Shapes: theta, q and u are whole iterates (d).
class ScaledNorm : public Regularizer {
 public:
  /// Throws std::invalid_argument, which names the kind, unless the weight is finite and at least 0.
  ScaledNorm(std::string_view kind, double weight);

  double weight() const { return weight_; }  // a
  virtual double norm(VectorRef theta) const = 0;
  /// R*(q) = max over R(x) <= 1 of q'x.
  virtual double dual_norm(VectorRef q) const = 0;
  /// argmin over x of tau R(x) + |x - q|^2 / 2; tau = 0 leaves q as it is, bit for bit.
  virtual Vector shrunk(VectorRef q, double tau) const = 0;
  /// argmin over R(x) <= radius of |x - u|; a point of the ball is left as it is, bit for bit.
  virtual Vector projected(VectorRef u, double radius) const = 0;
  /// The same norm with another weight.
  virtual std::shared_ptr<const ScaledNorm> with_weight(double weight) const = 0;
  /// The flops billed for the check whether R(theta) exceeds a number; by default d.
  virtual Flops norm_flops(Index d) const { return d; }

  double value(VectorRef theta) const override { return weight_ * norm(theta); }
  Vector prox(VectorRef q, double step) const override { return shrunk(q, step * weight_); }
  double conjugate(VectorRef q) const override;
  /// The projection on R* <= a: u - prox_{a R}(u).
  Vector prox_conjugate(VectorRef u, double c) const override;
  const ScaledNorm* as_norm() const final { return this; }

 private:
  double weight_;
};

/// The theta >= 0 with sum_i max(s_i - theta, 0) = radius, for s >= 0 (k) and radius >= 0; 0 where the sum of s is not
/// above it. Source: Held, Wolfe, Crowder, "Validation of subgradient optimization" (1974), by sorting.
double simplex_threshold(Vector s, double radius);

}  // namespace lagnet
