#include "algorithms/kernels/column_block.hpp"

#include <utility>

#include "algorithms/kernels/sparse_kernels.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

ColumnBlock::ColumnBlock(std::shared_ptr<const DataMatrix> X, Index first, Index count, Index nominal_rows)
    : X_(std::move(X)),
      first_(first),
      count_(count),
      entries_(nominal_rows * count),
      columns_with_entries_(nominal_rows > 0 ? count : 0) {
  LAGNET_CHECK(first >= 0 && count >= 0 && first + count <= X_->cols(), "columns {} to {} of {}", first, first + count,
               X_->cols());
  if (const auto sparse = X_->as_sparse()) {
    const auto* starts = sparse->outerIndexPtr();
    entries_ = starts[first + count] - starts[first];
    columns_with_entries_ = 0;
    for (Index k = first; k < first + count; ++k)
      if (starts[k + 1] > starts[k]) ++columns_with_entries_;
    bytes_an_entry_ += sizeof(SparseMatrix::StorageIndex);
  }
}

Vector ColumnBlock::transpose_times(VectorRef lambda) const {
  Vector products(count_);
  for (Index first = 0; first < count_; first += columns_at_once)
    dot(first, std::min(columns_at_once, count_ - first), lambda, products.data() + first);
  return products;
}

void ColumnBlock::dot(Index first, Index columns, VectorRef lambda, double* products) const {
  if (const auto sparse = X_->as_sparse()) {
    const auto* starts = sparse->outerIndexPtr() + first_ + first;
    for (Index k = 0; k < columns; ++k)
      products[k] = sparse_dot(sparse->valuePtr() + starts[k], sparse->innerIndexPtr() + starts[k],
                               starts[k + 1] - starts[k], lambda.data());
    return;
  }
  column_kernels().dot(dense_column(first), rows(), columns, lambda.data(), rows(), products);
}

void ColumnBlock::axpy(Index first, Index columns, const double* coefficients, Eigen::Ref<Vector>& sum,
                       bool anew) const {
  if (const auto sparse = X_->as_sparse()) {
    const auto* starts = sparse->outerIndexPtr() + first_ + first;
    for (Index k = 0; k < columns; ++k)
      sparse_axpy(coefficients[k], sparse->valuePtr() + starts[k], sparse->innerIndexPtr() + starts[k],
                  starts[k + 1] - starts[k], sum.data());
    return;
  }
  const auto add = anew ? column_kernels().combine : column_kernels().axpy;
  add(dense_column(first), rows(), columns, coefficients, rows(), sum.data());
}

void ColumnBlock::axpy_and_dot(Index first, double* x, Eigen::Ref<Vector>& sum, bool anew, Index next_columns,
                               VectorRef lambda) const {
  if (X_->is_sparse()) {
    axpy(first, columns_at_once, x, sum, anew);
    return dot(first + columns_at_once, next_columns, lambda, x);
  }
  const std::array<double, columns_at_once> coefficients{x[0], x[1], x[2], x[3]};
  const auto pass = anew ? column_kernels().combine_dot : column_kernels().axpy_dot;
  pass(dense_column(first), rows(), coefficients.data(), rows(), sum.data(), next_columns, lambda.data(), x);
}

}  // namespace lagnet
