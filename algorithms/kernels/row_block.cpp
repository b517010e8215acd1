#include "algorithms/kernels/row_block.hpp"

#include <utility>

#include "algorithms/kernels/sparse_kernels.hpp"
#include "sim/errors.hpp"

namespace lagnet {

SampleRows::SampleRows(const DataMatrix& X, Vector y) : y_(std::move(y)), rows_(X.rows()), cols_(X.cols()) {
  if (!X.has_numbers()) return;
  LAGNET_CHECK(X.rows() == y_.size(), "{} labels for {} rows", y_.size(), X.rows());
  if (const auto* sparse = X.as_sparse())
    X_ = SparseRows(*sparse);
  else
    X_ = DenseRows(*X.as_dense());
}

Index SampleRows::entries(Index row) const {
  const auto* sparse = std::get_if<SparseRows>(&X_);
  return sparse ? sparse->outerIndexPtr()[row + 1] - sparse->outerIndexPtr()[row] : cols_;
}

double SampleRows::score(Index row, VectorRef w) const {
  if (const auto* dense = std::get_if<DenseRows>(&X_)) return VectorView(dense->data() + row * cols_, cols_).dot(w);
  const auto& sparse = std::get<SparseRows>(X_);
  const auto first = sparse.outerIndexPtr()[row];
  return sparse_dot(sparse.valuePtr() + first, sparse.innerIndexPtr() + first, entries(row), w.data());
}

void SampleRows::add(Index row, double factor, Eigen::Ref<Vector> sum) const {
  if (const auto* dense = std::get_if<DenseRows>(&X_)) {
    sum += factor * VectorView(dense->data() + row * cols_, cols_);
    return;
  }
  const auto& sparse = std::get<SparseRows>(X_);
  const auto first = sparse.outerIndexPtr()[row];
  sparse_axpy(factor, sparse.valuePtr() + first, sparse.innerIndexPtr() + first, entries(row), sum.data());
}

RowBlock::RowBlock(std::shared_ptr<const SampleRows> all, Index first, Index count)
    : all_(std::move(all)), first_(first), count_(count) {
  LAGNET_CHECK(first >= 0 && count >= 0 && first + count <= all_->rows(), "rows {} to {} of {}", first, first + count,
               all_->rows());
}

Vector RowBlock::gradient(const Loss& l, VectorRef w, std::span<const Index> batch) const {
  Vector sum = Vector::Zero(cols());
  for (const Index i : batch) {
    const Index row = first_ + i;
    all_->add(row, l.derivative(all_->score(row, w), all_->label(row)), sum);
  }
  return sum / static_cast<double>(batch.size());
}

Work RowBlock::gradient_work(std::span<const Index> batch) const {
  constexpr Bytes number = sizeof(double), index = sizeof(int);
  const auto b = static_cast<Index>(batch.size());
  if (!is_sparse()) return dense_gradient_work(b);
  Index entries = 0;
  for (const Index i : batch) entries += all_->entries(first_ + i);
  return {4 * entries + b + cols(), (number + index) * entries + number * (b + 2 * cols())};
}

Work RowBlock::dense_gradient_work(Index b) const {
  LAGNET_CHECK(!is_sparse() && b >= 0 && b <= count_, "{} of {} rows", b, count_);
  constexpr Bytes number = sizeof(double);
  return {4 * b * cols() + b + cols(), number * (b * cols() + b + 2 * cols())};
}

}  // namespace lagnet
