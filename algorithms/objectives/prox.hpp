#pragma once

#include <optional>

#include "sim/array.hpp"

namespace lagnet {

/// A convex regularizer r(theta) with its proximal map. Shapes: theta, q and u are any block of coefficients (d_j);
/// every regularizer here is a sum over coordinates, so blocks may be treated one by one.
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

  /// If r(theta) = a |theta|_1 + (b/2) |theta|_2^2, then a and b, else nothing. Both are given or neither is.
  virtual std::optional<double> l1_weight() const { return std::nullopt; }
  virtual std::optional<double> l2_weight() const { return std::nullopt; }
};

}  // namespace lagnet
