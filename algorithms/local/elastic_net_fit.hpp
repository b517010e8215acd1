#pragma once

#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// argmin over theta of a |theta|_1 + (b/2) |theta|^2 + |A theta + s|^2 / (2c) for many s: by a Cholesky factor where
/// a = 0, else by coordinate descent over the Gram matrix from the last theta, until no coordinate moves by more than
/// 1e-13 of the largest one, or of 1. Source: Friedman, Hastie, Tibshirani, "Regularization paths for generalized
/// linear models via coordinate descent", J. Stat. Softw. 33 (2010), section 2.2 (covariance updates).
class ElasticNetFit {
 public:
  /// a, b >= 0, c > 0, A (n x q). It must outlive this.
  ElasticNetFit(const DataMatrix& A, double a, double b, double c) : A_(A), a_(a), b_(b), c_(c) {}
  /// To be called before solve().
  void prepare();
  /// From theta (q), which becomes the result, for s (n). Returns how many sweeps over the coordinates that took; none
  /// with the factor. Throws WorldLimit after a million.
  Index solve(VectorRef s, Vector& theta) const;

  /// n q^2 flops for A'A, and q^3 / 3 for a factor.
  Cost prepare_work() const;
  /// Two products with A, and with the factor 2 q^2.
  Cost solve_work() const;
  /// 2 q^2 + 3 q flops.
  Cost sweep_work() const;
  static Bytes memory(const DataMatrix& A);

 private:
  bool has_factor() const { return a_ == 0; }

  const DataMatrix& A_;
  double a_, b_, c_;
  Matrix gram_;  // A'A (q x q)
  Cholesky cholesky_;
};

}  // namespace lagnet
