#include "algorithms/central/column_basis.hpp"

#include <cmath>

#include "sim/numerics/decompositions.hpp"

namespace lagnet {
namespace {

constexpr double most_entries = 4e6;  // a second or two
constexpr double no_term = 1e-9;      // coefficients below are rounding

/// To ten bits.
double rounded(double coefficient) {
  const double unit = std::ldexp(1.0, std::ilogb(coefficient) - 9);
  return std::round(coefficient / unit) * unit;
}

/// Whether the column is the sum of the terms in exact arithmetic. Products of a double with ten bits are exact in
/// extended precision, and a sum is if nothing is lost by any addition.
bool is_exact(const Matrix& A, const ColumnBasis::Combination& made) {
  for (Index i = 0; i < A.rows(); ++i) {
    long double sum = -A(i, made.column);
    for (const auto& [k, coefficient] : made.terms) {
      const long double term = static_cast<long double>(A(i, k)) * coefficient, next = sum + term, part = next - sum;
      if ((sum - (next - part)) + (term - part) != 0) return false;
      sum = next;
    }
    if (sum != 0) return false;
  }
  return std::numeric_limits<long double>::digits >= 63;
}

/// Whether a b = c d exactly.
bool same_product(double a, double b, double c, double d) {
  const double left = a * b, right = c * d;
  return left == right && std::fma(a, b, -left) == std::fma(c, d, -right);
}

/// Whether columns j and k are multiples of each other.
bool are_parallel(const Matrix& A, Index j, Index k) {
  Index largest = 0;
  A.col(k).cwiseAbs().maxCoeff(&largest);
  for (Index i = 0; i < A.rows(); ++i)
    if (!same_product(A(i, j), A(largest, k), A(i, k), A(largest, j))) return false;
  return true;
}

/// The column as a combination of those that are independent, with about these coefficients; nothing if it is none.
std::optional<ColumnBasis::Combination> combination(const Matrix& A, Index column,
                                                    const std::vector<Index>& independent, const Vector& coefficients) {
  ColumnBasis::Combination made{column, {}};
  for (Index k = 0; k < coefficients.size(); ++k)
    if (std::abs(coefficients[k]) > no_term)
      made.terms.emplace_back(independent[static_cast<std::size_t>(k)], rounded(coefficients[k]));
  if (is_exact(A, made)) return made;
  if (made.terms.size() != 1 || !are_parallel(A, column, made.terms.front().first)) return std::nullopt;
  Index largest = 0;
  const Index base = made.terms.front().first;
  A.col(base).cwiseAbs().maxCoeff(&largest);
  made.terms.front().second = A(largest, column) / A(largest, base);
  return made;
}

}  // namespace

std::optional<ColumnBasis> column_basis(const DataMatrix& given) {
  if (static_cast<double>(given.rows()) * static_cast<double>(given.cols()) > most_entries) return std::nullopt;
  const Matrix A = given.dense();
  const auto [rank, order, R] = pivoted_qr(A, 1e-12);
  const Index left = A.cols() - rank;
  ColumnBasis basis;
  basis.independent.assign(order.begin(), order.begin() + rank);
  const Matrix coefficients = R.leftCols(rank).triangularView<Eigen::Upper>().solve(R.rightCols(left));
  for (Index k = 0; k < left; ++k) {
    const auto made = combination(A, order[static_cast<std::size_t>(rank + k)], basis.independent, coefficients.col(k));
    if (!made) return std::nullopt;
    basis.others.push_back(*made);
  }
  return basis;
}

}  // namespace lagnet
