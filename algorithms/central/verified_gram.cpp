#include "algorithms/central/verified_gram.hpp"

#include <Eigen/Cholesky>

#include <cmath>
#include <limits>

#include "algorithms/central/gram.hpp"

namespace lagnet {
namespace {

constexpr double most_extended_products = 3e7;  // a quarter of a second
constexpr double most_columns = 2048;           // a factor takes a second

/// About the smallest eigenvalue, by inverse iteration.
template <class Real, class Factor>
Real smallest_eigenvalue(const Factor& factor, Index order) {
  Eigen::Matrix<Real, Eigen::Dynamic, 1> v(order);
  for (Index k = 0; k < order; ++k) v[k] = 1 + Real(k % 7) / 8;  // any start that is not orthogonal to the eigenvector
  v.normalize();
  Real grown = 1;
  for (int step = 0; step < 12; ++step) {
    v = factor.solve(v).eval();
    grown = v.norm();
    v /= grown;
  }
  return 1 / grown;
}

}  // namespace

template <class Real>
std::optional<VerifiedGram> VerifiedGram::from(Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic> gram, Index rows) {
  using Square = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;
  const Index order = gram.rows();
  if (!gram.allFinite()) return std::nullopt;
  gram.template triangularView<Eigen::StrictlyUpper>() = gram.transpose();
  const Real unit = std::numeric_limits<Real>::epsilon() / 2;
  const Real k = static_cast<Real>(order), largest = gram.diagonal().maxCoeff();
  // An entry of G is a sum of `rows` products with a weight, which may have been a root: |error_jk| is at most the
  // usual (rows + 6) units of sqrt(G_jj G_kk).
  const Real error = Real(1.01) * k * (static_cast<Real>(rows) + 6) * unit * largest;
  Eigen::LLT<Square> factor(gram);
  if (factor.info() != Eigen::Success) return std::nullopt;
  const Real estimate = smallest_eigenvalue<Real>(factor, order);
  for (const Real share : {Real(0.5), Real(0.1), Real(0.01)}) {
    const Real shift = share * estimate;
    Square shifted = gram;
    shifted.diagonal().array() -= shift;
    if (Eigen::LLT<Square>(shifted).info() != Eigen::Success) continue;
    const Real least = shift * (1 - 2 * unit) - Real(1.01) * (k + 4) * unit * gram.trace() - error;
    if (!(least > 0)) return std::nullopt;
    VerifiedGram made;
    made.gram_ = gram.template cast<long double>();
    made.inverse_ = factor.solve(Square::Identity(order, order)).template cast<long double>();
    made.error_ = static_cast<double>(error) * (1 + 0x1p-50);
    made.least_ = static_cast<double>(least) * (1 - 0x1p-50);
    return made;
  }
  return std::nullopt;
}

std::optional<VerifiedGram> VerifiedGram::of(const DataMatrix& A, const Vector& weights) {
  const double rows = static_cast<double>(A.rows()), order = static_cast<double>(A.cols());
  if (order > most_columns) return std::nullopt;
  if (rows * order * order > most_extended_products) return from<double>(gram_of_columns(A, weights), A.rows());
  const Extended x = A.dense().cast<long double>();
  return from<long double>(x.transpose() * (weights.cast<long double>().asDiagonal() * x), A.rows());
}

double VerifiedGram::norm_of(const Vector& center, const Vector& radius) const {
  using Column = Eigen::Matrix<long double, Eigen::Dynamic, 1>;
  const Column z = center.cast<long double>(), v = inverse_ * z, image = gram_ * v;
  const long double unit = std::numeric_limits<long double>::epsilon(), k = static_cast<long double>(gram_.rows());
  // With r = z - G v the square is 2 z'v - v'G v + r'G^-1 r, for any v.
  const long double rounding = 2 * (k + 2) * unit * (z.norm() + gram_.norm() * v.norm());
  const long double left = (z - image).norm() + rounding + error_ * v.norm();
  const long double square =
      2 * z.dot(v) - v.dot(image) + error_ * v.squaredNorm() + 2 * rounding * v.norm() + left * left / least_;
  return static_cast<double>(std::sqrt(std::max(square, 0.0L)) + radius.norm() / std::sqrt(least_)) * (1 + 1e-12);
}

}  // namespace lagnet
