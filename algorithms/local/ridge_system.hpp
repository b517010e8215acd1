#pragma once

#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// (A'A + rho I) x = q for many q: a Cholesky factor that is made once, of the smaller side of A (n x d). That is the
/// d x d matrix itself, or, where n < d, A A' + rho I by the matrix inversion lemma,
///
///     x = (q - A'(A A' + rho I)^-1 A q) / rho.
///
/// Source: Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed optimization and statistical learning via the alternating
/// direction method of multipliers", 2011, section 4.2.4.
class RidgeSystem {
 public:
  /// A must outlive it; rho > 0.
  RidgeSystem(const DataMatrix& A, double rho) : A_(A), rho_(rho) {}
  /// To be called before solve().
  void factor();
  /// (d) -> (d). Not a number where there is no factor: rho is nothing beside the rounding of A'A, or A is not finite.
  Vector solve(VectorRef q) const;

  /// n d m flops for the Gram matrix of order m = min(n, d), of sparse A the squares of the stored entries of each row,
  /// or column, added up; m for rho I, and m^3 / 3.
  static Cost factor_work(const DataMatrix& A);
  /// 2 d^2 flops; or 2 n^2, two products with A at 2 each stored entry, and 2 d.
  static Cost solve_work(const DataMatrix& A);
  /// Of the factor, and of the matrix that it is made of.
  static Bytes memory(const DataMatrix& A);

 private:
  static bool by_rows(const DataMatrix& A) { return A.rows() < A.cols(); }

  const DataMatrix& A_;
  double rho_;
  Cholesky cholesky_;
};

}  // namespace lagnet
