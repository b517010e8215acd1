#include "algorithms/kernels/row_block.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/kernels/sparse_kernels.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

SampleRows::SampleRows(const DataMatrix& X, Vector y) : X_(X), y_(std::move(y)) {
  if (!X.has_numbers()) return;
  LAGNET_CHECK(X.rows() == y_.size(), "{} labels for {} rows", y_.size(), X.rows());
  if (const auto given = X.as_sparse_rows()) {
    sparse_.emplace(*given);
  } else if (const auto sparse = X.as_sparse()) {
    const SparseRows& made = copies_->sparse_rows = *sparse;
    sparse_.emplace(made.rows(), made.cols(), made.nonZeros(), made.outerIndexPtr(), made.innerIndexPtr(),
                    made.valuePtr());
  }
}

const double* SampleRows::made_dense() const {
  std::call_once(copies_->making, [this] {
    const auto dense = X_.as_dense();
    LAGNET_CHECK(dense, "rows of a {} x {} matrix that has no numbers", rows(), cols());
    copies_->dense_rows = *dense;
    copies_->dense.store(copies_->dense_rows.data(), std::memory_order_release);
  });
  return copies_->dense_rows.data();
}

Index SampleRows::entries(Index row) const {
  return sparse_ ? sparse_->outerIndexPtr()[row + 1] - sparse_->outerIndexPtr()[row] : cols();
}

SampleRow SampleRows::row(Index row) const {
  const auto count = static_cast<std::size_t>(entries(row));
  if (!sparse_) return {{dense_row(row), count}};
  const auto first = sparse_->outerIndexPtr()[row];
  return {{sparse_->valuePtr() + first, count}, sparse_->innerIndexPtr() + first};
}

double SampleRows::score(Index row, VectorRef w) const {
  if (!sparse_) return VectorView(dense_row(row), cols()).dot(w);
  const auto first = sparse_->outerIndexPtr()[row];
  return sparse_dot(sparse_->valuePtr() + first, sparse_->innerIndexPtr() + first, entries(row), w.data());
}

void SampleRows::add(Index row, double factor, Eigen::Ref<Vector> sum) const {
  if (!sparse_) {
    sum += factor * VectorView(dense_row(row), cols());
    return;
  }
  const auto first = sparse_->outerIndexPtr()[row];
  sparse_axpy(factor, sparse_->valuePtr() + first, sparse_->innerIndexPtr() + first, entries(row), sum.data());
}

Matrix SampleRows::gathered(Index first, std::span<const Index> batch) const {
  Matrix columns(cols(), static_cast<Index>(batch.size()));
  for (std::size_t i = 0; i < batch.size(); ++i)
    columns.col(static_cast<Index>(i)) = VectorView(dense_row(first + batch[i]), cols());
  return columns;
}

// What lies row by row in memory is the transpose of a matrix by columns.
Vector SampleRows::scores(Index first, std::span<const Index> batch, VectorRef W, Index c) const {
  const Eigen::Map<const Matrix> W_t(W.data(), c, cols());
  Matrix scores_t = Matrix::Zero(c, static_cast<Index>(batch.size()));
  if (!is_sparse()) {
    scores_t.noalias() = W_t * gathered(first, batch);
    return scores_t.reshaped();
  }
  for (std::size_t i = 0; i < batch.size(); ++i)
    for (SparseRowsView::InnerIterator entry(*sparse_, first + batch[i]); entry; ++entry)
      scores_t.col(static_cast<Index>(i)) += entry.value() * W_t.col(entry.col());
  return scores_t.reshaped();
}

Vector SampleRows::sum_of(Index first, std::span<const Index> batch, VectorRef lam, Index c) const {
  const Eigen::Map<const Matrix> lam_t(lam.data(), c, static_cast<Index>(batch.size()));
  Matrix sum_t = Matrix::Zero(c, cols());
  if (!is_sparse()) {
    sum_t.noalias() = lam_t * gathered(first, batch).transpose();
    return sum_t.reshaped();
  }
  for (std::size_t i = 0; i < batch.size(); ++i)
    for (SparseRowsView::InnerIterator entry(*sparse_, first + batch[i]); entry; ++entry)
      sum_t.col(entry.col()) += entry.value() * lam_t.col(static_cast<Index>(i));
  return sum_t.reshaped();
}

RowBlock::RowBlock(std::shared_ptr<const SampleRows> all, Index first, Index count)
    : all_(std::move(all)), first_(first), count_(count) {
  LAGNET_CHECK(first >= 0 && count >= 0 && first + count <= all_->rows(), "rows {} to {} of {}", first, first + count,
               all_->rows());
}

double RowBlock::squared_norm(Index i) const {
  const SampleRow x = row(i);
  return VectorView(x.values.data(), std::ssize(x.values)).squaredNorm();
}

Index RowBlock::all_entries() const {
  Index sum = 0;
  for (Index i = 0; i < count_; ++i) sum += entries(i);
  return sum;
}

Vector RowBlock::transpose_times(VectorRef lam) const {
  LAGNET_CHECK(lam.size() == count_, "{} numbers for {} rows", lam.size(), count_);
  Vector sum = Vector::Zero(cols());
  for (Index i = 0; i < count_; ++i) add(i, lam[i], sum);
  return sum;
}

Vector RowBlock::scores(VectorRef W, Index c) const {
  std::vector<Index> all(static_cast<std::size_t>(count_));
  std::iota(all.begin(), all.end(), Index{0});
  return all_->scores(first_, all, W, c);
}

Vector RowBlock::labels() const {
  Vector labels(count_);
  for (Index i = 0; i < count_; ++i) labels[i] = label(i);
  return labels;
}

double RowBlock::loss(const Loss& l, VectorRef W) const { return l.total(scores(W, l.outputs()), labels()); }

namespace {

/// The derivatives of the batch's losses in their scores (b c).
Vector derivatives(const Loss& l, VectorRef scores, const SampleRows& all, Index first, std::span<const Index> batch) {
  Vector labels(static_cast<Index>(batch.size()));
  for (std::size_t i = 0; i < batch.size(); ++i) labels[static_cast<Index>(i)] = all.label(first + batch[i]);
  return l.derivative(scores, labels);
}

}  // namespace

Vector RowBlock::gradient(const Loss& l, VectorRef w, std::span<const Index> batch) const {
  const double b = static_cast<double>(batch.size());
  if (const Index c = l.outputs(); c > 1) {
    const Vector lam = derivatives(l, all_->scores(first_, batch, w, c), *all_, first_, batch);
    return all_->sum_of(first_, batch, lam, c) / b;
  }
  Vector sum = Vector::Zero(cols());
  if (l.prefers_samples_at_once()) {
    Vector scores(static_cast<Index>(batch.size()));
    for (std::size_t i = 0; i < batch.size(); ++i) scores[static_cast<Index>(i)] = all_->score(first_ + batch[i], w);
    const Vector lam = derivatives(l, scores, *all_, first_, batch);
    for (std::size_t i = 0; i < batch.size(); ++i) all_->add(first_ + batch[i], lam[static_cast<Index>(i)], sum);
    return sum / b;
  }
  for (const Index i : batch) {
    const Index row = first_ + i;
    all_->add(row, l.derivative(all_->score(row, w), all_->label(row)), sum);
  }
  return sum / b;
}

Cost RowBlock::work_of(Index products, Bytes data, Index b, Index c) const {
  constexpr Bytes number = sizeof(double);
  return {4 * products * c + loss_flops(b, c) + cols() * c, data + number * (b + 2 * cols() * c)};
}

Cost RowBlock::gradient_work(std::span<const Index> batch, Index c) const {
  constexpr Bytes number = sizeof(double), index = sizeof(int);
  const auto b = static_cast<Index>(batch.size());
  if (!is_sparse()) return dense_gradient_work(b, c);
  Index entries = 0;
  for (const Index i : batch) entries += all_->entries(first_ + i);
  return work_of(entries, (number + index) * entries, b, c);
}

Cost RowBlock::dense_gradient_work(Index b, Index c) const {
  LAGNET_CHECK(!is_sparse() && b >= 0 && b <= count_, "{} of {} rows", b, count_);
  constexpr Bytes number = sizeof(double);
  return work_of(b * cols(), number * b * cols(), b, c);
}

}  // namespace lagnet
