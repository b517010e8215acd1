#pragma once

#include "sim/array.hpp"
#include "sim/types.hpp"

namespace lagnet {

/// A closed convex set that holds the iterates. Shapes: theta and u are whole iterates (d).
class Constraint {
 public:
  virtual ~Constraint() = default;

  /// How far theta is outside, in the set's own measure: for a ball |theta| - R. At most 0 inside.
  virtual double excess(VectorRef theta) const = 0;
  /// argmin over x in the set of |x - u|_2. A point of the set is returned with its bits unchanged.
  virtual Vector project(VectorRef u) const = 0;
  /// What a projection of d numbers is billed.
  virtual Flops flops(Index d) const = 0;
};

}  // namespace lagnet
