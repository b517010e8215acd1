#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "algorithms/kernels/column_kernels.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// The columns of X that one agent holds, X_j (n x d_j), without a copy. Flops are counted for the nominal number of
/// rows; a reduced problem has fewer.
class ColumnBlock {
 public:
  ColumnBlock(std::shared_ptr<const DataMatrix> X, Index first, Index count, Index nominal_rows);

  Index rows() const { return X_->rows(); }
  Index cols() const { return count_; }

  /// X_j' lambda: (n) -> (d_j).
  Vector transpose_times(VectorRef lambda) const;

  /// Both in one pass, giving sum = X_j x: for a few columns at a time, x = X_c' lambda, then step(first, x), which
  /// replaces x by coefficients, then sum += X_c x, while the columns are in the cache and the next ones come from
  /// memory. `first` counts from the block's first column; x has 1 to 4 entries. The numbers are the same on every
  /// machine.
  template <class Step>
  void sweep(VectorRef lambda, Eigen::Ref<Vector> sum, const Step& step) const {
    std::array<double, columns_at_once> x{};
    bool anew = !X_->is_sparse();
    if (!anew || count_ == 0) sum.setZero();
    const auto columns = [this](Index first) { return std::min(columns_at_once, count_ - first); };
    if (count_ > 0) dot(0, columns(0), lambda, x.data());
    for (Index first = 0; first < count_; first += columns_at_once, anew = false) {
      step(first, Eigen::Map<Vector>(x.data(), columns(first)));
      const Index next = first + columns_at_once;
      if (next < count_)
        axpy_and_dot(first, x.data(), sum, anew, columns(next), lambda);
      else
        axpy(first, columns(first), x.data(), sum, anew);
    }
  }

  /// A dot product of n entries takes 2n - 1, and that of none nothing.
  Flops transpose_times_flops() const { return 2 * entries_ - columns_with_entries_; }
  Flops add_times_flops() const { return 2 * entries_; }
  /// The bytes of X that one product reads: stored values, and their rows if X is sparse.
  Bytes bytes() const { return entries_ * bytes_an_entry_; }

 private:
  void dot(Index first, Index columns, VectorRef lambda, double* products) const;
  /// anew: as if the sum were 0; of dense columns only
  void axpy(Index first, Index columns, const double* coefficients, Eigen::Ref<Vector>& sum, bool anew = false) const;
  /// axpy of columns_at_once columns with the coefficients x, and then x = the dot products of the next ones.
  void axpy_and_dot(Index first, double* x, Eigen::Ref<Vector>& sum, bool anew, Index next_columns,
                    VectorRef lambda) const;
  const double* dense_column(Index k) const { return X_->as_dense()->data() + (first_ + k) * rows(); }

  std::shared_ptr<const DataMatrix> X_;
  Index first_;
  Index count_;
  Index entries_;  // stored ones; of a dense block, nominal rows times columns
  Index columns_with_entries_;
  Bytes bytes_an_entry_ = sizeof(double);
};

}  // namespace lagnet
