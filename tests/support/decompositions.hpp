#pragma once

#include "sim/numerics/decompositions.hpp"

/// What the tests' oracles need of dense linear algebra besides the decompositions of sim/numerics, by Eigen, compiled
/// once.
namespace lagnet::testing {

/// Ascending (n), of a symmetric matrix (n x n).
Vector eigenvalues(const Matrix& symmetric);
/// Of a square matrix that has one.
Matrix inverse(const Matrix& A);
/// Q of A = Q R (n x n).
Matrix orthogonal_factor(const Matrix& A);
/// argmin |A x - b| by Householder's QR, for A (n x d) of full rank d <= n.
Vector least_squares(const Matrix& A, const Vector& b);
/// A^-1 b, by an LU decomposition with partial pivoting.
Vector solve(const Matrix& A, const Vector& b);

}  // namespace lagnet::testing
