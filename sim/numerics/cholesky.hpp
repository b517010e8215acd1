#pragma once

#include <Eigen/Cholesky>

#include "sim/base/array.hpp"

namespace lagnet {

/// The Cholesky factor of a symmetric positive definite matrix A (n x n).
class Cholesky {
 public:
  Cholesky() = default;
  explicit Cholesky(const Matrix& A) { factor(A); }

  void factor(const Matrix& A);  // reads the lower triangle
  /// Whether there is a factor: none of a matrix that is not positive definite.
  bool succeeded() const { return factor_.info() == Eigen::Success; }
  /// A^-1 b (n), of a matrix that has a factor.
  Vector solve(VectorRef b) const;
  /// An estimate of 1 / (|A| |A^-1|), in the 1-norm.
  double reciprocal_condition() const;

 private:
  Eigen::LLT<Matrix> factor_;
};

}  // namespace lagnet
