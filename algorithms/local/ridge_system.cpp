#include "algorithms/local/ridge_system.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "algorithms/central/gram.hpp"

namespace lagnet {

void RidgeSystem::factor() {
  Matrix gram = by_rows(A_) ? gram_of_rows(A_, Vector::Ones(A_.cols())) : gram_of_columns(A_, Vector::Ones(A_.rows()));
  gram.diagonal().array() += rho_;
  cholesky_.factor(gram);
}

Vector RidgeSystem::solve(VectorRef q) const {
  if (!cholesky_.succeeded()) return Vector::Constant(q.size(), std::numeric_limits<double>::quiet_NaN());
  if (!by_rows(A_)) return cholesky_.solve(q);
  const Vector rest = cholesky_.solve(A_.times(q));
  return (q - A_.transpose_times(rest)) / rho_;
}

namespace {

/// Of A'A, or of A A'.
Flops gram_flops(const DataMatrix& A, bool by_rows) {
  const auto sparse = A.as_sparse();
  if (!sparse) return A.rows() * A.cols() * (by_rows ? A.rows() : A.cols());
  std::vector<Index> entries(static_cast<std::size_t>(by_rows ? A.cols() : A.rows()), 0);
  for (Index j = 0; j < sparse->outerSize(); ++j)
    for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry)
      ++entries[static_cast<std::size_t>(by_rows ? j : entry.row())];
  Flops sum = 0;
  for (const Index count : entries) sum += count * count;
  return sum;
}

}  // namespace

Cost RidgeSystem::factor_work(const DataMatrix& A) {
  const Index m = std::min(A.rows(), A.cols());
  return {gram_flops(A, by_rows(A)) + m + m * m * m / 3, A.bytes() + Bytes{sizeof(double)} * m * m};
}

Cost RidgeSystem::solve_work(const DataMatrix& A) {
  const Index m = std::min(A.rows(), A.cols());
  const Cost factor(2 * m * m, Bytes{sizeof(double)} * m * m);
  return by_rows(A) ? factor + Cost(4 * A.nonzeros() + 2 * A.cols(), 2 * A.bytes()) : factor;
}

Bytes RidgeSystem::memory(const DataMatrix& A) {
  const Index m = std::min(A.rows(), A.cols());
  return Bytes{sizeof(double)} * 2 * m * m;
}

}  // namespace lagnet
