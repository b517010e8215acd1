#include "algorithms/kernels/column_block.hpp"

#include <utility>

#include "sim/errors.hpp"

namespace lagnet {

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
  if (const auto* sparse = X_->as_sparse()) return sparse->middleCols(first_, count_).transpose() * lambda;
  return X_->as_dense()->middleCols(first_, count_).transpose() * lambda;
}

void ColumnBlock::add_times(VectorRef coefficients, Eigen::Ref<Vector> sum) const {
  if (count_ == 0) return;
  if (const auto* sparse = X_->as_sparse())
    sum += sparse->middleCols(first_, count_) * coefficients;
  else
    sum.noalias() += X_->as_dense()->middleCols(first_, count_) * coefficients;
}

}  // namespace lagnet
