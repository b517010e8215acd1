#pragma once

#include <optional>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

class ScaledNorm;

/// A convex regularizer r(theta) with its proximal map. Shapes: theta, q and u are whole iterates (d); of a separable
/// regularizer they may be any block of coefficients (d_j).
class Regularizer {
 public:
  virtual ~Regularizer() = default;

  virtual double value(VectorRef theta) const = 0;
  /// argmin over x of step r(x) + |x - q|^2 / 2, for step > 0.
  virtual Vector prox(VectorRef q, double step) const = 0;
  /// r*(q) = sup_x q'x - r(x); +infinity outside its domain.
  virtual double conjugate(VectorRef q) const = 0;
  /// argmin over lam of c r*(lam) + |lam - u|^2 / 2, for c > 0; by default through Moreau's identity
  /// prox_{c r*}(u) = u - c prox_{r/c}(u/c).
  virtual Vector prox_conjugate(VectorRef u, double c) const;

  /// A subgradient at theta (d), with sign(0) = 0; nothing if the regularizer offers none. By default that of the
  /// weights below.
  virtual std::optional<Vector> subgradient(VectorRef theta) const;

  /// The Lipschitz constant of its gradient; none if it has kinks. By default that of the weights below.
  virtual std::optional<double> smoothness() const;
  /// Whether there is a conjugate(), and its prox; else they are never asked for: an internal error.
  virtual bool has_conjugate() const { return true; }

  /// Whether r is a sum over coordinates, so that blocks may be treated one by one; by default where the weights below
  /// are given.
  virtual bool is_separable() const { return l1_weight().has_value(); }
  /// If r is a multiple of a norm: itself as such, else null.
  virtual const ScaledNorm* as_norm() const { return nullptr; }

  /// The flops billed for a prox, or a subgradient, of d numbers; by default 3 d for soft thresholding, d for the
  /// square, and 2 d for each term of a subgradient.
  virtual Flops prox_flops(Index d) const;
  virtual Flops subgradient_flops(Index d) const;

  /// If r(theta) = a |theta|_1 + (b/2) |theta|_2^2, then a and b, else nothing. Both are given or neither is.
  virtual std::optional<double> l1_weight() const { return std::nullopt; }
  virtual std::optional<double> l2_weight() const { return std::nullopt; }
};

}  // namespace lagnet
