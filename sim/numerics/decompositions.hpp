#pragma once

#include <optional>
#include <vector>

#include "sim/base/array.hpp"

/// Decompositions of dense matrices, by Eigen. They are instantiated here alone: one of them takes a compiler up to a
/// minute.
namespace lagnet {

/// A = vectors diag(values) vectors', of a symmetric matrix (n x n).
struct SymmetricEigen {
  Vector values;   // ascending (n)
  Matrix vectors;  // of length 1, by columns (n x n)
};
SymmetricEigen symmetric_eigen(const Matrix& A);
/// Ascending (n); nothing where the QR iteration does not converge or the values are not finite.
std::optional<Vector> symmetric_eigenvalues(const Matrix& A);
/// The absolute values of the eigenvalues of any square matrix, descending (n); nothing if the decomposition fails.
std::optional<Vector> eigenvalue_sizes(const Matrix& A);

/// A = U diag(s) V', of any matrix (p1 x p2) with finite entries; n = min(p1, p2).
struct ThinSvd {
  Matrix U;  // (p1 x n)
  Vector s;  // descending (n)
  Matrix V;  // (p2 x n)
};
/// By divide and conquer: fast for large matrices.
ThinSvd thin_svd(const Matrix& A);
Vector singular_values(const Matrix& A);
/// By Jacobi's rotations, which are the most exact for small ones.
Vector singular_values_by_rotations(const Matrix& A);

/// Of A = Q R by Householder reflections, for A (m x n) with m >= n: R, and Q'b.
struct HouseholderQr {
  Matrix R;    // upper triangular (n x n)
  Vector Q_b;  // (m)
};
HouseholderQr householder_qr(const Matrix& A, const Vector& b);

/// A P = Q R, of any matrix (m x n), with the columns so ordered that the diagonal of R falls in size. The rank is the
/// number of its entries above `threshold` times the first.
struct PivotedQr {
  Index rank;
  std::vector<Index> order;  // of A's columns (n)
  Matrix R;                  // upper trapezoidal (rank x n)
};
PivotedQr pivoted_qr(const Matrix& A, double threshold);

/// The x (n) of least norm among those that minimize |A x - b|, for any A (m x n), by Householder reflections with
/// column pivoting.
Vector least_squares_of_least_norm(const Matrix& A, const Vector& b);

}  // namespace lagnet
