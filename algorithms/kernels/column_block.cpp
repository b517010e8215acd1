#include "algorithms/kernels/column_block.hpp"

#include <utility>

#include "algorithms/kernels/sparse_kernels.hpp"
#include "sim/cache_size.hpp"
#include "sim/errors.hpp"

namespace lagnet {

namespace {

/// Whether the columns to come fit into the second-level cache beside those at hand, which would be driven out while
/// they are still read: on a machine with 512 KiB a pass over columns of 16,384 numbers took half as long again.
bool both_fit_cache(Index rows) { return 2 * columns_at_once * rows * Index{sizeof(double)} <= second_level_cache(); }

}  // namespace

ColumnBlock::ColumnBlock(std::shared_ptr<const DataMatrix> X, Index first, Index count, Index nominal_rows)
    : X_(std::move(X)), first_(first), count_(count), entries_(nominal_rows * count) {
  LAGNET_CHECK(first >= 0 && count >= 0 && first + count <= X_->cols(), "columns {} to {} of {}", first, first + count,
               X_->cols());
  if (const auto* sparse = X_->as_sparse()) {
    const auto* starts = sparse->outerIndexPtr();
    entries_ = starts[first + count] - starts[first];
    bytes_an_entry_ += sizeof(SparseMatrix::StorageIndex);
  }
}

Vector ColumnBlock::transpose_times(VectorRef lambda) const {
  Vector products(count_);
  for (Index first = 0; first < count_; first += columns_at_once)
    dot(first, std::min(columns_at_once, count_ - first), lambda, products.data() + first);
  return products;
}

void ColumnBlock::add_times(VectorRef coefficients, Eigen::Ref<Vector> sum) const {
  for (Index first = 0; first < count_; first += columns_at_once)
    axpy(first, std::min(columns_at_once, count_ - first), coefficients.data() + first, sum);
}

void ColumnBlock::dot(Index first, Index columns, const VectorRef& lambda, double* products) const {
  if (const auto* sparse = X_->as_sparse()) {
    const auto* starts = sparse->outerIndexPtr() + first_ + first;
    for (Index k = 0; k < columns; ++k)
      products[k] = sparse_dot(sparse->valuePtr() + starts[k], sparse->innerIndexPtr() + starts[k],
                               starts[k + 1] - starts[k], lambda.data());
    return;
  }
  const Matrix& X = *X_->as_dense();
  column_kernels().dot(X.data() + (first_ + first) * X.rows(), X.rows(), columns, lambda.data(), X.rows(), products);
}

void ColumnBlock::axpy(Index first, Index columns, const double* coefficients, Eigen::Ref<Vector>& sum,
                       bool anew) const {
  if (const auto* sparse = X_->as_sparse()) {
    const auto* starts = sparse->outerIndexPtr() + first_ + first;
    for (Index k = 0; k < columns; ++k)
      sparse_axpy(coefficients[k], sparse->valuePtr() + starts[k], sparse->innerIndexPtr() + starts[k],
                  starts[k + 1] - starts[k], sum.data());
    return;
  }
  const Matrix& X = *X_->as_dense();
  const double* const column = X.data() + (first_ + first) * X.rows();
  // Where a block ends the next agent's begins.
  const bool more = first_ + first + columns + columns <= X.cols() && both_fit_cache(X.rows());
  const auto add = anew ? column_kernels().combine : column_kernels().axpy;
  add(column, X.rows(), columns, coefficients, X.rows(), sum.data(), more ? column + columns * X.rows() : nullptr);
}

}  // namespace lagnet
