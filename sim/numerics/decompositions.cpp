#include "sim/numerics/decompositions.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <functional>

namespace lagnet {

SymmetricEigen symmetric_eigen(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

std::optional<Vector> symmetric_eigenvalues(const Matrix& A) {
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(A, Eigen::EigenvaluesOnly);
  if (solver.info() != Eigen::Success || !solver.eigenvalues().allFinite()) return std::nullopt;
  return solver.eigenvalues();
}

std::optional<Vector> eigenvalue_sizes(const Matrix& A) {
  const Eigen::EigenSolver<Matrix> solver(A, false);
  if (solver.info() != Eigen::Success) return std::nullopt;
  Vector sizes = solver.eigenvalues().cwiseAbs();
  if (!sizes.allFinite()) return std::nullopt;
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  return sizes;
}

ThinSvd thin_svd(const Matrix& A) {
  const Eigen::BDCSVD<Matrix> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.matrixU(), svd.singularValues(), svd.matrixV()};
}

Vector singular_values(const Matrix& A) { return Eigen::BDCSVD<Matrix>(A).singularValues(); }

Vector singular_values_by_rotations(const Matrix& A) { return Eigen::JacobiSVD<Matrix>(A).singularValues(); }

HouseholderQr householder_qr(const Matrix& A, const Vector& b) {
  const Eigen::HouseholderQR<Matrix> qr(A);
  return {qr.matrixQR().topRows(A.cols()).triangularView<Eigen::Upper>(), qr.householderQ().transpose() * b};
}

PivotedQr pivoted_qr(const Matrix& A, double threshold) {
  Eigen::ColPivHouseholderQR<Matrix> qr(A);
  qr.setThreshold(threshold);
  const auto& order = qr.colsPermutation().indices();
  return {qr.rank(), {order.begin(), order.end()}, qr.matrixR().topRows(qr.rank()).triangularView<Eigen::Upper>()};
}

Vector least_squares_of_least_norm(const Matrix& A, const Vector& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

}  // namespace lagnet
