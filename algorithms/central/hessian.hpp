#pragma once

#include <vector>

#include "algorithms/central/newton.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// The generalized Hessian H = A' diag(weights) A + (l2 + shift) I of a face (k x k), and its inverse applied to a
/// vector. Up to 2048 columns by Cholesky, beyond by conjugate gradients with A as it is, 10000 steps of them at most.
/// After 2000 of them, where there is an l2 norm and at most 5000 losses are curved, of rows S, by Cholesky of their
/// order: H^-1 = (I - A_S' (c W_S^-1 + A_S A_S')^-1 A_S) / c with c = l2 + shift.
class Hessian {
 public:
  explicit Hessian(const FaceProblem& face);  // which must outlive it

  void set(const Vector& curvature);  // of the losses at their scores (n)

  /// Whether the steps that it may take are used up, so that further solutions would be 0.
  bool exhausted() const { return patience_ <= 0; }

  /// Of the columns of A, by which their coefficients are scaled (k).
  const Vector& factors() const { return factors_; }

  /// The solution of H p = right (k) for a shift relative to the largest that a diagonal entry can be, of scaled
  /// columns; with a larger one where Cholesky fails.
  Vector solve(const Vector& right, double& shift);

 private:
  double squared_column(Index j) const;
  Vector added(double shift) const;  // to the diagonal (k)
  double scaled_norm(const Vector& gradient) const { return gradient.cwiseProduct(factors_).norm(); }
  Vector by_columns(const Vector& right, double& shift);
  Vector by_conjugate_gradients(const Vector& right, const Vector& added);
  std::vector<Index> curved_rows() const;
  Vector by_rows(const Vector& right, double added);

  const FaceProblem& face_;
  bool direct_;      // by columns
  Vector factors_;   // of the columns (k)
  bool is_scaled_;   // whether a factor is not 1
  double size_ = 0;  // the largest that a diagonal entry can be, of scaled columns
  Vector weights_;   // curvature / samples (n)
  Vector diagonal_;  // of A' diag(weights) A (k)
  Matrix matrix_;    // A' diag(weights) A (k x k), or A_S A_S'; lower triangle
  Cholesky cholesky_;
  double factored_shift_ = -1;
  DataMatrix curved_;  // rows S of A, whose weight is not 0
  double c_ = 0;
  int patience_ = 10000;  // steps of conjugate gradients left, over all solves; a Cholesky factor by rows counts 100
};

}  // namespace lagnet
