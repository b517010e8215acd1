#include "tests/support/decompositions.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace lagnet::testing {

Vector eigenvalues(const Matrix& symmetric) { return symmetric_eigen(symmetric).values; }

Matrix inverse(const Matrix& A) { return A.inverse(); }

Matrix orthogonal_factor(const Matrix& A) { return Eigen::HouseholderQR<Matrix>(A).householderQ(); }

Vector least_squares(const Matrix& A, const Vector& b) { return Eigen::HouseholderQR<Matrix>(A).solve(b); }

Vector solve(const Matrix& A, const Vector& b) { return Eigen::PartialPivLU<Matrix>(A).solve(b); }

}  // namespace lagnet::testing
