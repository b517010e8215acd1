#include "algorithms/central/hessian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "algorithms/central/gram.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

constexpr Index largest_direct = 2048;

}  // namespace

Hessian::Hessian(const FaceProblem& face) : face_(face), direct_(face.A.cols() <= largest_direct) {
  weights_ = Vector::Constant(face.A.rows(), face.loss.smoothness().value() / face.samples);
  for (Index j = 0; j < face.A.cols(); ++j) size_ = std::max(size_, squared_column(j));
  size_ = std::max(size_ + face.l2, std::numeric_limits<double>::min());
  weights_.resize(0);
}

void Hessian::set(const Vector& curvature) {
  if (curvature.size() == weights_.size() && curvature / face_.samples == weights_) return;  // squared loss: once
  weights_ = curvature / face_.samples;
  factored_shift_ = -1;
  if (direct_) {
    matrix_ = gram_of_columns(face_.A, weights_);
    return;
  }
  diagonal_ = Vector::Zero(face_.A.cols());
  for (Index j = 0; j < diagonal_.size(); ++j) diagonal_[j] = squared_column(j);
}

Vector Hessian::solve(const Vector& right, double& shift) {
  if (!direct_) return by_conjugate_gradients(right, face_.l2 + shift * size_);
  for (; factored_shift_ != shift; shift *= 100) {
    LAGNET_CHECK(std::isfinite(shift), "no Cholesky factor of a Hessian: entries of X too large to square?");
    Matrix shifted = matrix_;
    shifted.diagonal().array() += face_.l2 + shift * size_;
    cholesky_.compute(shifted);
    if (cholesky_.info() != Eigen::Success) continue;
    factored_shift_ = shift;
    break;
  }
  return cholesky_.solve(right);
}

double Hessian::squared_column(Index j) const {
  if (const auto* dense = face_.A.as_dense()) return weights_.dot(dense->col(j).cwiseAbs2());
  double sum = 0;
  for (SparseMatrix::InnerIterator entry(*face_.A.as_sparse(), j); entry; ++entry) {
    sum += weights_[entry.row()] * entry.value() * entry.value();
  }
  return sum;
}

/// Preconditioned by the diagonal. Singular systems are consistent here, and from 0 the iterates stay in the range.
Vector Hessian::by_conjugate_gradients(const Vector& right, double added) {
  const Vector inverse = (diagonal_.array() + added).max(std::numeric_limits<double>::min()).inverse();
  Vector x = Vector::Zero(right.size()), residual = right, z = inverse.cwiseProduct(residual), direction = z;
  double inner = residual.dot(z);
  const double enough = 1e-3 * right.norm();  // one Newton step in three digits; the next steps take the rest
  for (int step = 0; step < 2000 && residual.norm() > enough && patience_ > 0; ++step, --patience_) {
    const Vector image = face_.A.transpose_times(weights_.cwiseProduct(face_.A.times(direction))) + added * direction;
    const double alpha = inner / direction.dot(image);
    if (!std::isfinite(alpha)) break;
    x += alpha * direction;
    residual -= alpha * image;
    z = inverse.cwiseProduct(residual);
    const double next = residual.dot(z);
    direction = z + (next / inner) * direction;
    inner = next;
  }
  return x;
}

}  // namespace lagnet
