#pragma once

#include "sim/base/array.hpp"

/// Dense decompositions for the tests' oracles, by Eigen. They are compiled once here: a singular value decomposition
/// takes a compiler half a minute and more under the sanitizers.
namespace lagnet::testing {

struct Eigensystem {
  Vector values;   // ascending (n)
  Matrix vectors;  // of unit norm, by columns (n x n)
};

/// Of a symmetric matrix (n x n).
Eigensystem eigensystem(const Matrix& symmetric);
/// Ascending (n), of a symmetric matrix (n x n).
Vector eigenvalues(const Matrix& symmetric);
/// Descending (min(rows, columns)), by Jacobi's rotations.
Vector singular_values(const Matrix& A);
/// Of a square matrix that has one.
Matrix inverse(const Matrix& A);
/// Q of A = Q R (n x n).
Matrix orthogonal_factor(const Matrix& A);
/// argmin |A x - b| by Householder's QR, for A (n x d) of full rank d <= n.
Vector least_squares(const Matrix& A, const Vector& b);
/// A^-1 b, by an LU decomposition with partial pivoting.
Vector solve(const Matrix& A, const Vector& b);

}  // namespace lagnet::testing
