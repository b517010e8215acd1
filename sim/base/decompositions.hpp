#pragma once

#include <optional>

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
/// The absolute values of the eigenvalues of any square matrix, descending (n); nothing likewise.
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

}  // namespace lagnet
