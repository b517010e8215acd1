#pragma once

#include <algorithm>
#include <array>
#include <memory>

#include "algorithms/data_matrix.hpp"
#include "algorithms/kernels/column_kernels.hpp"
#include "sim/types.hpp"

namespace lagnet {

/// The columns of X that one agent holds, X_j (n x d_j), without a copy of them. Flops are counted for the nominal
/// number of rows, which a reduced problem holds fewer of.
class ColumnBlock {
 public:
  ColumnBlock(std::shared_ptr<const DataMatrix> X, Index first, Index count, Index nominal_rows);

  Index rows() const { return X_->rows(); }
  Index cols() const { return count_; }

  /// X_j' lambda: (n) -> (d_j).
  Vector transpose_times(VectorRef lambda) const;
  /// sum += X_j coefficients: (d_j) -> (n).
  void add_times(VectorRef coefficients, Eigen::Ref<Vector> sum) const;

  /// Both in one pass, giving sum = X_j x: for a few columns at a time, x = X_c' lambda, then step(first, x), which
  /// replaces x by coefficients, then sum += X_c x, while the columns are in the cache. `first` counts from the block's
  /// first column; x has 1 to 4 entries. The same numbers for every machine.
  template <class Step>
  void sweep(VectorRef lambda, Eigen::Ref<Vector> sum, const Step& step) const {
    std::array<double, columns_at_once> x{};
    const bool is_sparse = X_->is_sparse();
    if (is_sparse || count_ == 0) sum.setZero();
    for (Index first = 0; first < count_; first += columns_at_once) {
      const Index columns = std::min(columns_at_once, count_ - first);
      dot(first, columns, lambda, x.data());
      step(first, Eigen::Map<Vector>(x.data(), columns));
      axpy(first, columns, x.data(), sum, first == 0 && !is_sparse);
    }
  }

  Flops transpose_times_flops() const { return 2 * entries_ - count_; }  // a dot product of n entries takes 2n - 1
  Flops add_times_flops() const { return 2 * entries_; }
  /// What one product reads of X: stored values, and where they are sparse their rows.
  Bytes bytes() const { return entries_ * bytes_an_entry_; }

 private:
  void dot(Index first, Index columns, const VectorRef& lambda, double* products) const;
  /// anew: as if the sum were 0; of dense columns only
  void axpy(Index first, Index columns, const double* coefficients, Eigen::Ref<Vector>& sum, bool anew = false) const;

  std::shared_ptr<const DataMatrix> X_;
  Index first_;
  Index count_;
  Index entries_;  // stored ones; of a dense block, nominal rows times columns
  Bytes bytes_an_entry_ = sizeof(double);
};

}  // namespace lagnet
