#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

/// Decompositions of dense matrices, by Eigen. They are instantiated here alone: one of them takes a compiler up to a
/// minute.
namespace lagnet {

/// A = vectors diag(values) vectors', of a symmetric matrix (n x n).
struct SymmetricEigen {
  Eigen::VectorXd values;   // ascending (n)
  Eigen::MatrixXd vectors;  // of length 1, by columns (n x n)
};
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& A);
/// Ascending (n); nothing where the QR iteration does not converge or the values are not finite.
std::optional<Eigen::VectorXd> symmetric_eigenvalues(const Eigen::MatrixXd& A);
/// The absolute values of the eigenvalues of any square matrix, descending (n); nothing likewise.
std::optional<Eigen::VectorXd> eigenvalue_sizes(const Eigen::MatrixXd& A);

/// A = U diag(s) V', of any matrix (p1 x p2) with finite entries; n = min(p1, p2).
struct ThinSvd {
  Eigen::MatrixXd U;  // (p1 x n)
  Eigen::VectorXd s;  // descending (n)
  Eigen::MatrixXd V;  // (p2 x n)
};
/// By divide and conquer: fast for large matrices.
ThinSvd thin_svd(const Eigen::MatrixXd& A);
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);
/// By Jacobi's rotations, which are the most exact for small ones.
Eigen::VectorXd singular_values_by_rotations(const Eigen::MatrixXd& A);

/// Of A = Q R by Householder reflections, for A (m x n) with m >= n: R, and Q'b.
struct HouseholderQr {
  Eigen::MatrixXd R;    // upper triangular (n x n)
  Eigen::VectorXd Q_b;  // (m)
};
HouseholderQr householder_qr(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// A P = Q R, of any matrix (m x n), with the columns so ordered that the diagonal of R falls in size. The rank is the
/// number of its entries above `threshold` times the first.
struct PivotedQr {
  Eigen::Index rank;
  std::vector<Eigen::Index> order;  // of A's columns (n)
  Eigen::MatrixXd R;                // upper trapezoidal (rank x n)
};
PivotedQr pivoted_qr(const Eigen::MatrixXd& A, double threshold);

/// The x (n) of least norm among those that minimize |A x - b|, for any A (m x n), by Householder reflections with
/// column pivoting.
Eigen::VectorXd least_squares_of_least_norm(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

}  // namespace lagnet
