#pragma once

#include <vector>

#include "algorithms/central/newton.hpp"

namespace lagnet {

/// The face's objective along phi + t p for t in [0, 1], through its derivative in t, which never decreases.
class FaceLine {
 public:
  /// scores = A phi, change = A p. All arguments must outlive the line.
  FaceLine(const FaceProblem& face, const Vector& phi, const Vector& p, const Vector& scores, const Vector& change);

  /// The derivative at t; at a kink the one to its left or right.
  double slope(double t, bool to_the_right) const;
  /// The t in (0, 1] where the derivative changes sign, 1 if it does not; exactly a kink's t where the minimum is at a
  /// kink.
  double minimizer() const;
  /// Sets the coordinates of moved = phi + t p to 0 whose kink is at t.
  void settle(double t, Vector& moved) const;
  bool has_kinks() const { return !kinks_.empty(); }

 private:
  double smooth_minimizer(double low, double high) const;

  const FaceProblem& face_;
  const Vector& phi_;
  const Vector& p_;
  const Vector& scores_;
  const Vector& change_;
  Vector kink_of_;             // t at which a coordinate is 0, infinity if never in (0, 1] (k)
  std::vector<double> kinks_;  // those in (0, 1], ascending
};

}  // namespace lagnet
