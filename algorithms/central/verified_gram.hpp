#pragma once

#include <optional>

#include "algorithms/problem/data_matrix.hpp"

namespace lagnet {

/// Proven bounds on the inverse of G = A' diag(weights) A, weights >= 0 (rows of A). A Cholesky factor of G - s I that
/// exists in floating point proves that the smallest eigenvalue of G is at least s less what rounding may do (Rump,
/// "Verification of positive definiteness", BIT 46, 2006); what the products of G round is charged as well. In extended
/// precision where that takes a fraction of a second.
class VerifiedGram {
 public:
  /// Nothing where G is singular, or so close to it that rounding hides the difference. The columns of A should be of
  /// similar size.
  static std::optional<VerifiedGram> of(const DataMatrix& A, const Vector& weights);

  /// At least sqrt(z' G^-1 z) for every z with |z - center| <= radius, entry by entry (cols).
  double norm_of(const Vector& center, const Vector& radius) const;

 private:
  using Extended = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
  VerifiedGram() = default;
  template <class Real>
  static std::optional<VerifiedGram> from(Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> gram, Index rows);

  Extended gram_;     // both triangles (cols x cols)
  Extended inverse_;  // about G^-1
  double error_ = 0;  // at least |gram_ - G|
  double least_ = 0;  // at most the smallest eigenvalue of G
};

}  // namespace lagnet
