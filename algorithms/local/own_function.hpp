#pragma once

#include "algorithms/objectives/loss.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/compute_cost.hpp"

namespace lagnet {

/// One agent's own function, of one score a sample:
///
///     f(theta) = (w / n) sum over its n samples of l(x' theta, y) + (b/2) |theta|^2
struct OwnFunction {
  const DataMatrix& X;  // its samples (n x d)
  VectorView y;         // their labels (n); empty without numbers
  const Loss& loss;
  double weight = 1;     // w
  double l2_weight = 0;  // b

  double scale() const { return weight / static_cast<double>(X.rows()); }
  /// f at a theta (d) with these scores (n).
  double value(VectorRef theta, VectorRef scores) const;
  /// Its Hessian where samples have these scores (n), which the squared loss does not look at (d x d); only the lower
  /// triangle is set.
  Matrix hessian(VectorRef scores) const;
  Matrix hessian() const { return hessian(Vector()); }  // of the squared loss
};

/// Products of the stored entries of each sample with each other, added up: n d^2 where they are dense.
Flops products_of_rows(const DataMatrix& X);
/// n d (d + 1) flops of dense samples, n d + 4 n more for a loss other than the squared one, and d with a square.
Cost hessian_work(const OwnFunction& f);
/// floor(d^3 / 3) flops for a factor, and 2 d^2 for a solution by it.
inline Flops cholesky_flops(Index d) { return d * d * d / 3; }
inline Flops solution_flops(Index d) { return 2 * d * d; }

}  // namespace lagnet
