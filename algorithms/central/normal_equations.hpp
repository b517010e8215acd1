#pragma once

#include "algorithms/problem/data_matrix.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// The symmetric system of an interior point step,
///
///     X dtheta - E dlam = h,   X' dlam + D dtheta = r,   E > 0 and D >= 0 diagonal.
///
/// By Cholesky on X' E^-1 X + D (order cols) or, where X is wide and every entry of D is above 0, on E + X D^-1 X'
/// (order rows). Each diagonal entry is enlarged by 1e-14 of itself, or as much more as Cholesky needs, so singular
/// matrices do no harm; steps of refinement against the system itself take the enlargement back.
class NormalEquations {
 public:
  struct Solution {
    Vector dtheta;  // (cols)
    Vector dlam;    // (rows)
  };

  explicit NormalEquations(const DataMatrix& X) : X_(X) {}
  void set(const Vector& E, const Vector& D);              // (rows), (cols)
  Solution solve(const Vector& h, const Vector& r) const;  // (rows), (cols)

 private:
  void factor(Matrix matrix);
  Solution solve_once(const Vector& h, const Vector& r) const;

  const DataMatrix& X_;
  bool by_rows_ = false;
  Vector E_, D_;
  Matrix gram_;  // X D^-1 X', lower triangle (rows x rows)
  Cholesky cholesky_;
};

}  // namespace lagnet
