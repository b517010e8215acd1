#pragma once

#include <memory>

#include "algorithms/objectives/constraint.hpp"

namespace lagnet {

/// The intersection of two sets, which must not be empty. Projections are Dykstra's alternating ones with both
/// correction terms, until successive points agree to 1e-13 in every entry, or 20000 passes. Boyle, Dykstra, "A method
/// for finding projections onto the intersection of convex sets in Hilbert spaces" (1986). A projection on one set and
/// then on the other is in general not the projection on both.
class Intersection final : public Constraint {
 public:
  Intersection(std::shared_ptr<const Constraint> first, std::shared_ptr<const Constraint> second);

  double excess(VectorRef theta) const override;  // the larger one
  /// In the second set to the last bit, in the first within what 1e-13 allows.
  Vector project(VectorRef u) const override;
  /// The flops of one pass: the number of passes is known only afterwards, and costs must not depend on numbers.
  Flops flops(Index d) const override;
  std::optional<double> reach(VectorRef w) const override;  // the smaller one
  /// From the corrections at the end of a projection of theta - s g: they are normal to one set each.
  std::optional<double> linear_gap(VectorRef theta, VectorRef g) const override;

 private:
  struct Parts {
    Vector x;  // the projection                          (d)
    Vector p;  // correction of the first set             (d)
    Vector q;  // correction of the second: u = x + p + q (d)
  };
  Parts dykstra(VectorRef u) const;

  std::shared_ptr<const Constraint> first_, second_;
};

}  // namespace lagnet
