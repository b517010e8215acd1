#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "algorithms/objectives/loss.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/compute_cost.hpp"

namespace lagnet {

/// The stored entries of one sample.
struct SampleRow {
  std::span<const double> values;
  const SparseMatrix::StorageIndex* columns = nullptr;  // one for each value, ascending; null: all of them
};

/// Samples and labels row by row, so that one sample lies in one piece: a copy, which the row blocks of all agents
/// share, unless X is given so. The copy of a dense matrix is made when its first row is asked for. A matrix without
/// numbers gives only the shape.
class SampleRows {
 public:
  /// X (n x d), labels y (n), or none of either.
  SampleRows(const DataMatrix& X, Vector y);

  const DataMatrix& matrix() const { return X_; }
  Index rows() const { return X_.rows(); }
  Index cols() const { return X_.cols(); }
  Index entries(Index row) const;              // stored ones of a row: d when dense
  double score(Index row, VectorRef w) const;  // x_i' w, w (d)
  /// W' x_i of these rows, one after the other: W (d c) row by row -> (b c).
  Vector scores(Index first, std::span<const Index> batch, VectorRef W, Index c) const;
  double label(Index row) const { return y_[row]; }
  void add(Index row, double factor, Eigen::Ref<Vector> sum) const;  // sum += factor x_i, sum (d)
  /// sum_i x_i lam_i' of these rows, lam (b c) -> (d c) row by row.
  Vector sum_of(Index first, std::span<const Index> batch, VectorRef lam, Index c) const;
  bool is_sparse() const { return sparse_.has_value(); }
  SampleRow row(Index row) const;

 private:
  Matrix gathered(Index first, std::span<const Index> batch) const;  // columns x_i of dense rows (d x b)

  const double* dense_row(Index row) const {
    const double* const made = copies_->dense.load(std::memory_order_acquire);
    return (made ? made : made_dense()) + row * cols();
  }
  const double* made_dense() const;

  struct Copies {
    SparseRows sparse_rows;
    std::once_flag making;
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> dense_rows;
    std::atomic<const double*> dense = nullptr;  // where these begin, once they are made
  };
  DataMatrix X_;
  std::shared_ptr<Copies> copies_ = std::make_shared<Copies>();
  std::optional<SparseRowsView> sparse_;
  Vector y_;
};

/// The samples that one agent holds: rows first .. first+count-1. Batches list rows of the block, from 0.
class RowBlock {
 public:
  RowBlock(std::shared_ptr<const SampleRows> all, Index first, Index count);

  Index rows() const { return count_; }
  Index cols() const { return all_->cols(); }
  const DataMatrix& matrix() const { return all_->matrix(); }  // of all agents
  Index first() const { return first_; }                       // its first row there

  // One sample of the block, from 0.
  SampleRow row(Index i) const { return all_->row(first_ + i); }
  Index entries(Index i) const { return all_->entries(first_ + i); }
  double label(Index i) const { return all_->label(first_ + i); }
  double score(Index i, VectorRef w) const { return all_->score(first_ + i, w); }  // x_i' w, w (d)
  void add(Index i, double factor, Eigen::Ref<Vector> sum) const { all_->add(first_ + i, factor, sum); }
  double squared_norm(Index i) const;  // |x_i|^2

  // All of them.
  Index all_entries() const;                      // stored ones
  Vector transpose_times(VectorRef lam) const;    // sum_i lam_i x_i, lam (rows) -> (d), at 2 flops a stored entry
  Vector scores(VectorRef W, Index c) const;      // W' x_i, one after the other (rows c), W (d c) row by row
  Vector labels() const;                          // (rows)
  double loss(const Loss& l, VectorRef W) const;  // sum_i l(W' x_i, y_i)

  /// (1/b) sum over the batch of l'(x_i' w, y_i) x_i: the mean of the b samples' gradients; w (d) -> (d). Of a loss
  /// with c scores: of x_i l'(W' x_i, y_i)', w (d c) -> (d c).
  Vector gradient(const Loss& l, VectorRef w, std::span<const Index> batch) const;
  /// Its cost. Of dense rows 4 b d + b + d flops: two products with the b x d block, the losses' derivatives at one
  /// flop each (least squares: y is subtracted), the factor 1/b; of sparse rows 4 for each stored entry instead of 4 b
  /// d. With c scores a sample: 4 b d c + 6 b c + d c. Each row is read from memory once, with its label; w and the
  /// gradient are read or written once.
  Cost gradient_work(std::span<const Index> batch, Index c = 1) const;
  /// The same of any b rows, where all cost the same: dense ones.
  Cost dense_gradient_work(Index b, Index c = 1) const;
  bool is_sparse() const { return all_->is_sparse(); }
  /// The flops in it for the derivatives of b samples' losses: b, or 6 b c.
  static Flops loss_flops(Index b, Index c) { return c > 1 ? 6 * b * c : b; }

 private:
  Cost work_of(Index products, Bytes data, Index b, Index c) const;
  std::shared_ptr<const SampleRows> all_;
  Index first_;
  Index count_;
};

}  // namespace lagnet
