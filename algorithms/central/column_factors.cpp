#include "algorithms/central/column_factors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/errors.hpp"

namespace lagnet {
namespace {

constexpr double harmless_ratio = 0x1p16;

/// |x_j| of every column, without overflow or underflow of squares (cols).
Vector column_norms(const DataMatrix& X) {
  Vector norms(X.cols());
  if (const auto sparse = X.as_sparse()) {
    for (Index j = 0; j < X.cols(); ++j) {
      double sum = 0, largest = 0;
      for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry)
        largest = std::max(largest, std::abs(entry.value()));
      if (largest > 0)
        for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry)
          sum += (entry.value() / largest) * (entry.value() / largest);
      norms[j] = largest * std::sqrt(sum);
    }
    return norms;
  }
  const DenseView x = *X.as_dense();
  for (Index j = 0; j < X.cols(); ++j) norms[j] = x.col(j).stableNorm();
  return norms;
}

/// sum_j a_j |phi_j| + (b_j/2) phi_j^2.
class OwnWeights final : public Regularizer {
 public:
  OwnWeights(Vector a, Vector b) : a_(std::move(a)), b_(std::move(b)) {}
  double value(VectorRef phi) const override { return a_.dot(phi.cwiseAbs()) + 0.5 * b_.dot(phi.cwiseAbs2()); }
  Vector prox(VectorRef q, double step) const override {
    Vector result(q.size());
    for (Index j = 0; j < q.size(); ++j)
      result[j] = std::copysign(std::max(std::abs(q[j]) - step * a_[j], 0.0), q[j]) / (1 + step * b_[j]);
    return result;
  }
  double conjugate(VectorRef) const override { throw InternalError("the conjugate of scaled coefficients"); }
  bool has_conjugate() const override { return false; }

 private:
  Vector a_, b_;
};

}  // namespace

double power_of_two_for(double size) {
  if (!(size > 0) || !std::isfinite(size)) return 1;
  // 2^1023 is the largest power of two.
  return std::ldexp(1.0, std::min(-std::ilogb(size), 1023));
}

Vector column_factors(const DataMatrix& X) {
  const Vector norms = column_norms(X);
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const double norm : norms) {
    if (norm == 0) continue;
    least = std::min(least, norm);
    largest = std::max(largest, norm);
  }
  if (!(largest / least > harmless_ratio)) return Vector::Ones(X.cols());
  return norms.unaryExpr(&power_of_two_for);
}

Vector entry_factors(const DataMatrix& X) {
  Vector factors(X.cols());
  for (Index k = 0; k < factors.size(); ++k)
    factors[k] = power_of_two_for(X.columns(k, 1).dense().cwiseAbs().maxCoeff());
  return factors;
}

double scaled_size(const DataMatrix& X, const Vector& factors) {
  if ((factors.array() == 1).all()) return std::sqrt(X.squared_norm());
  return column_norms(X).cwiseProduct(factors).norm();
}

DataMatrix scaled_columns(const DataMatrix& X, const Vector& factors) {
  if (const auto sparse = X.as_sparse()) return DataMatrix(SparseMatrix(*sparse * factors.asDiagonal()));
  return DataMatrix(Matrix(*X.as_dense() * factors.asDiagonal()));
}

Vector factors_of_entries(const Problem& problem, const Vector& factors) {
  const Index c = problem.loss->outputs();
  return factors.transpose().replicate(c, 1).reshaped();
}

Problem with_scaled_columns(const Problem& problem, const Vector& factors) {
  const Vector each = factors_of_entries(problem, factors);
  Problem scaled = problem;
  scaled.X = std::make_shared<const DataMatrix>(scaled_columns(*problem.X, factors));
  scaled.regularizer = std::make_shared<const OwnWeights>(problem.regularizer->l1_weight().value() * each,
                                                          problem.regularizer->l2_weight().value() * each.cwiseAbs2());
  return scaled;
}

}  // namespace lagnet
