#pragma once

#include <Eigen/Cholesky>

#include "algorithms/central/newton.hpp"

namespace lagnet {

/// The generalized Hessian H = A' diag(weights) A + (l2 + shift) I of a face (k x k), and its inverse applied to a
/// vector. Up to 2048 columns by Cholesky, beyond by conjugate gradients with A as it is, 10000 steps of them at most.
class Hessian {
 public:
  explicit Hessian(const FaceProblem& face);  // which must outlive it

  void set(const Vector& curvature);  // of the losses at their scores (n)

  /// Whether conjugate gradients have used up their steps, so that further solutions would be 0.
  bool exhausted() const { return patience_ <= 0; }

  /// The solution of H p = right (k) for a shift relative to the largest that a diagonal entry can be; with a larger
  /// one where Cholesky fails.
  Vector solve(const Vector& right, double& shift);

 private:
  double squared_column(Index j) const;
  Vector by_conjugate_gradients(const Vector& right, double added);

  const FaceProblem& face_;
  bool direct_;
  double size_ = 0;  // the largest that a diagonal entry can be
  Vector weights_;   // curvature / samples (n)
  Vector diagonal_;  // of A' diag(weights) A (k)
  Matrix matrix_;    // A' diag(weights) A, lower triangle (k x k)
  Eigen::LLT<Matrix> cholesky_;
  double factored_shift_ = -1;
  int patience_ = 10000;  // steps of conjugate gradients left, over all solves
};

}  // namespace lagnet
