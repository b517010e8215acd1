#include "tests/support/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>

namespace lagnet::testing {

Eigensystem eigensystem(const Matrix& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector eigenvalues(const Matrix& symmetric) { return eigensystem(symmetric).values; }

Vector singular_values(const Matrix& A) { return Eigen::JacobiSVD<Matrix>(A).singularValues(); }

Matrix inverse(const Matrix& A) { return A.inverse(); }

Matrix orthogonal_factor(const Matrix& A) { return Eigen::HouseholderQR<Matrix>(A).householderQ(); }

Vector least_squares(const Matrix& A, const Vector& b) { return Eigen::HouseholderQR<Matrix>(A).solve(b); }

Vector solve(const Matrix& A, const Vector& b) { return Eigen::PartialPivLU<Matrix>(A).solve(b); }

}  // namespace lagnet::testing
