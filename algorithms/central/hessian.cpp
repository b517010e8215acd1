#include "algorithms/central/hessian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/gram.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

constexpr Index largest_by_columns = 2048;
constexpr Index largest_by_rows = 5000;  // a factor takes ten seconds
constexpr int steps_left_for_rows = 8000;
constexpr int steps_of_factor = 100;

}  // namespace

Hessian::Hessian(const FaceProblem& face)
    : face_(face),
      direct_(face.A.cols() <= largest_by_columns),
      factors_(column_factors(face.A)),
      is_scaled_((factors_.array() != 1).any()) {
  weights_ = Vector::Constant(face.A.rows(), face.loss.smoothness().value() / face.samples);
  for (Index j = 0; j < face.A.cols(); ++j) size_ = std::max(size_, squared_column(j) * factors_[j] * factors_[j]);
  size_ = std::max(is_scaled_ ? size_ : size_ + face.l2, std::numeric_limits<double>::min());
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
  if (direct_) return by_columns(right, shift);
  // Without an l2 norm c is far below what rounding leaves of the rows' products.
  const bool by_products = patience_ <= steps_left_for_rows && face_.l2 > 0 && !is_scaled_;
  if (by_products && std::ssize(curved_rows()) <= largest_by_rows && !exhausted())
    return by_rows(right, face_.l2 + shift * size_);
  return by_conjugate_gradients(right, added(shift));
}

Vector Hessian::added(double shift) const { return face_.l2 + shift * size_ * factors_.array().square().inverse(); }

std::vector<Index> Hessian::curved_rows() const {
  const double least = 1e-16 * weights_.maxCoeff();  // less would not change a step
  std::vector<Index> rows;
  for (Index i = 0; i < weights_.size(); ++i)
    if (weights_[i] > least) rows.push_back(i);
  return rows;
}

Vector Hessian::by_rows(const Vector& right, double added) {
  if (factored_shift_ != added) {
    const std::vector<Index> rows = curved_rows();
    const Vector curvatures = weights_(rows);
    curved_ = face_.A.rows(rows);
    matrix_ = gram_of_rows(curved_, Vector::Ones(curved_.cols()));
    for (c_ = added;; c_ *= 100) {
      LAGNET_CHECK(std::isfinite(c_), "no Cholesky factor of the products of {} rows", curved_.rows());
      Matrix shifted = matrix_;
      shifted.diagonal() += c_ * curvatures.cwiseInverse();
      cholesky_.factor(shifted);
      if (cholesky_.succeeded()) break;
    }
    factored_shift_ = added;
    patience_ -= steps_of_factor;
  }
  return (right - curved_.transpose_times(cholesky_.solve(curved_.times(right)))) / c_;
}

Vector Hessian::by_columns(const Vector& right, double& shift) {
  for (; factored_shift_ != shift; shift *= 100) {
    LAGNET_CHECK(std::isfinite(shift), "no Cholesky factor of a Hessian: entries of X too large to square?");
    Matrix shifted = matrix_;
    shifted.diagonal() += added(shift);
    cholesky_.factor(shifted);
    if (!cholesky_.succeeded()) continue;
    factored_shift_ = shift;
    break;
  }
  return cholesky_.solve(right);
}

double Hessian::squared_column(Index j) const {
  if (const auto dense = face_.A.as_dense()) return weights_.dot(dense->col(j).cwiseAbs2());
  double sum = 0;
  for (SparseView::InnerIterator entry(*face_.A.as_sparse(), j); entry; ++entry) {
    sum += weights_[entry.row()] * entry.value() * entry.value();
  }
  return sum;
}

/// Preconditioned by the diagonal. Singular systems are consistent here, and from 0 the iterates stay in the range.
Vector Hessian::by_conjugate_gradients(const Vector& right, const Vector& added) {
  const Vector inverse = (diagonal_ + added).array().max(std::numeric_limits<double>::min()).inverse();
  Vector x = Vector::Zero(right.size()), residual = right, z = inverse.cwiseProduct(residual), direction = z;
  double inner = residual.dot(z);
  const double enough = 1e-3 * scaled_norm(right);  // one Newton step in three digits; the next steps take the rest
  for (int step = 0; step < 2000 && scaled_norm(residual) > enough && patience_ > 0; ++step, --patience_) {
    const Vector image =
        face_.A.transpose_times(weights_.cwiseProduct(face_.A.times(direction))) + added.cwiseProduct(direction);
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
