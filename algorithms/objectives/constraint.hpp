#pragma once

#include <optional>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// A closed convex set that holds the iterates. Shapes: theta and u are whole iterates (d).
class Constraint {
 public:
  virtual ~Constraint() = default;

  /// How far theta is outside, in the set's own measure: for a ball |theta| - R. At most 0 inside.
  virtual double excess(VectorRef theta) const = 0;
  /// argmin over x in the set of |x - u|_2. A point of the set is returned with its bits unchanged. So is a u that is
  /// not finite, which is in no set: the caller sees that it diverges.
  virtual Vector project(VectorRef u) const = 0;
  /// The flops billed for a projection of d numbers.
  virtual Flops flops(Index d) const = 0;
  /// The support function sup over x in the set of q'x, q (d); nothing where it has no formula.
  virtual std::optional<double> support(VectorRef /*q*/) const { return std::nullopt; }
  /// At least sup over x in the set of w'|x|, w >= 0 (d); nothing where no bound is known. The support function is one
  /// if changing signs in w never increases it: that of absolute values, and that of the largest singular value
  /// (Perron, Frobenius).
  virtual std::optional<double> reach(VectorRef w) const { return support(w); }
  /// At least sup over x in the set of g'(theta - x), the gap of Frank and Wolfe: where g is the gradient of a convex F
  /// at a theta of the set, F(theta) - min F is at most that. Nothing where no bound is known.
  virtual std::optional<double> linear_gap(VectorRef theta, VectorRef g) const {
    const auto most = support(-g);
    if (!most) return std::nullopt;
    return *most + g.dot(theta);
  }
};

}  // namespace lagnet
