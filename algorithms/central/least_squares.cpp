#include "algorithms/central/least_squares.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/central/column_factors.hpp"
#include "algorithms/central/gram.hpp"
#include "sim/numerics/cholesky.hpp"
#include "sim/numerics/decompositions.hpp"

namespace lagnet {
namespace {

constexpr Index largest_order = 4096;
constexpr double small_entries = 1e6;    // orthogonal decomposition at once: a second at most
constexpr double largest_entries = 4e7;  // and where nothing else serves: minutes

/// Householder reflections with column pivoting, on X itself: exact ranks, at ten times the cost of a Gram matrix. Each
/// coefficient has its own ridge (cols).
Vector by_orthogonal_decomposition(const DataMatrix& X, VectorRef y, const Vector& ridge) {
  if (ridge.isZero(0)) return least_squares_of_least_norm(X.dense(), y);
  Matrix extended = Matrix::Zero(X.rows() + X.cols(), X.cols());
  extended.topRows(X.rows()) = X.dense();
  extended.bottomRows(X.cols()).diagonal() = ridge.cwiseSqrt();
  Vector target = Vector::Zero(extended.rows());
  target.head(X.rows()) = y;
  return least_squares_of_least_norm(extended, target);
}

/// Cholesky on the smaller Gram matrix; theta = X' omega when X is wide, so it has the least norm. Nothing if the
/// matrix is singular to half the digits: then refinement cannot repair what squaring the condition number has lost.
/// Nothing for a wide X, either, unless all ridges (cols) are the same.
std::optional<Vector> by_gram_matrix(const DataMatrix& X, VectorRef y, const Vector& ridges) {
  const bool wide = X.cols() > X.rows();
  const double ridge = ridges[0];
  if (wide && (ridges.array() != ridge).any()) return std::nullopt;
  Matrix gram = wide ? gram_of_rows(X, Vector::Ones(X.cols())) : gram_of_columns(X, Vector::Ones(X.rows()));
  if (wide)
    gram.diagonal().array() += ridge;
  else
    gram.diagonal() += ridges;
  const Cholesky cholesky(gram);
  if (!cholesky.succeeded() || !(cholesky.reciprocal_condition() > 1e-10)) return std::nullopt;
  Vector theta = Vector::Zero(X.cols());
  Vector omega = Vector::Zero(wide ? X.rows() : 0);
  // Each pass gains at least six digits on a condition number below 1e10.
  for (int pass = 0; pass < 5; ++pass) {
    const Vector residual = y - X.times(theta);
    if (wide) {
      omega += cholesky.solve(residual - ridge * omega);
      theta = X.transpose_times(omega);
    } else {
      theta += cholesky.solve(X.transpose_times(residual) - ridges.cwiseProduct(theta));
    }
  }
  return theta;
}

std::optional<Vector> solve(const DataMatrix& X, VectorRef y, const Vector& ridge) {
  const Index rows = X.rows() + (ridge.isZero(0) ? 0 : X.cols());
  const double entries = static_cast<double>(rows) * static_cast<double>(X.cols());
  if (entries <= small_entries) return by_orthogonal_decomposition(X, y, ridge);
  if (std::min(X.rows(), X.cols()) <= largest_order) {
    if (auto theta = by_gram_matrix(X, y, ridge)) return theta;
  }
  if (entries <= largest_entries) return by_orthogonal_decomposition(X, y, ridge);
  return std::nullopt;
}

}  // namespace

std::optional<Vector> least_squares(const DataMatrix& X, VectorRef y, double ridge) {
  if (X.cols() == 0) return Vector();
  const Vector factors = column_factors(X);
  if ((factors.array() == 1).all()) return solve(X, y, Vector::Constant(X.cols(), ridge));
  const auto scaled = solve(scaled_columns(X, factors), y, ridge * factors.cwiseAbs2());
  return scaled ? std::optional<Vector>(scaled->cwiseProduct(factors)) : std::nullopt;
}

Vector without_null_space(const DataMatrix& X, const Vector& theta) {
  const auto projected = least_squares(X, X.times(theta), 0);
  return projected ? *projected : theta;
}

}  // namespace lagnet
