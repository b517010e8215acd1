#pragma once

#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// Numbers that lie elsewhere, as a matrix.
using DenseView = Eigen::Map<const Matrix, Eigen::Aligned16>;
using SparseView = Eigen::Map<const SparseMatrix>;
using SparseRows = Eigen::SparseMatrix<double, Eigen::RowMajor>;
using SparseRowsView = Eigen::Map<const SparseRows>;

/// A data matrix X, one sample a row and one feature a column, stored dense or by compressed sparse columns; or the
/// shape of a dense one without its numbers, for timing-only runs. Calls that need numbers are then internal errors.
/// Copies share the numbers, which never change. Flops are those of the products as written: a multiply-add with each
/// stored entry counts two, less the first addition.
class DataMatrix {
 public:
  DataMatrix() = default;
  explicit DataMatrix(Matrix dense);
  explicit DataMatrix(SparseMatrix sparse);
  /// Without a copy: the numbers lie in what `owner` holds, dense ones from a multiple of 16 bytes on. Those of a
  /// sparse matrix are compressed, their places ascending. One that is given by rows has its columns too from when they
  /// are asked for; its products are the same to the last bit.
  DataMatrix(const Eigen::Map<const Matrix>& numbers, std::shared_ptr<const void> owner);
  DataMatrix(const SparseView& numbers, std::shared_ptr<const void> owner);
  DataMatrix(const SparseRowsView& numbers, std::shared_ptr<const void> owner);
  static DataMatrix of_shape(Index rows, Index cols);
  /// rows x cols that nothing has been written to, in large pages where the system offers them: a large dense matrix
  /// that is filled here need not be moved to such pages afterwards.
  static Matrix unfilled(Index rows, Index cols);

  Index rows() const {
    return std::visit([](const auto& stored) { return stored.rows; }, storage_);
  }
  Index cols() const {
    return std::visit([](const auto& stored) { return stored.cols; }, storage_);
  }
  Index nonzeros() const;  // stored entries: rows * cols when dense
  /// The memory that they take by columns: 8 bytes per dense entry; 12 per sparse entry and 4 per column.
  Bytes bytes() const;
  bool is_sparse() const {
    return std::holds_alternative<Sparse>(storage_) || std::holds_alternative<SparseByRows>(storage_);
  }
  bool has_numbers() const { return !std::holds_alternative<IterateShape>(storage_); }
  bool all_finite() const;

  struct Entry {
    Index row;
    Index column;
    double value;
  };
  /// The first stored entry, column by column, that is infinite or not a number.
  std::optional<Entry> first_not_finite() const;
  bool is_zero() const;         // whether no entry is another number
  double squared_norm() const;  // the sum of the squares of all entries

  /// Columns first .. first+count-1 as a matrix of their own.
  DataMatrix columns(Index first, Index count) const;
  /// The columns listed, in that order.
  DataMatrix columns(const std::vector<Index>& which) const;
  /// The rows listed, in that order.
  DataMatrix rows(const std::vector<Index>& which) const;
  /// Rows first .. first+count-1 as a matrix of their own, which is a copy unless it is given by rows.
  DataMatrix row_range(Index first, Index count) const;
  Vector times(VectorRef coefficients) const;       // X theta   (cols) -> (rows)
  Vector transpose_times(VectorRef samples) const;  // X' lambda (rows) -> (cols)
  /// The same with `outputs` coefficients c per column: x_i' W, one sample after the other, W (cols x c) row by row.
  Vector times(VectorRef coefficients, Index outputs) const;       // (cols c) -> (rows c)
  Vector transpose_times(VectorRef samples, Index outputs) const;  // X' L (rows c) -> (cols c)
  Matrix dense() const;

  /// Nothing unless it is stored so.
  std::optional<DenseView> as_dense() const {
    if (const auto* dense = std::get_if<Dense>(&storage_)) return DenseView(dense->numbers, dense->rows, dense->cols);
    return std::nullopt;
  }
  std::optional<SparseView> as_sparse() const {
    if (const auto* sparse = std::get_if<Sparse>(&storage_))
      return SparseView(sparse->rows, sparse->cols, sparse->starts[sparse->cols], sparse->starts, sparse->places,
                        sparse->values);
    if (const auto* by_rows = std::get_if<SparseByRows>(&storage_)) return columns_of(*by_rows);
    return std::nullopt;
  }
  /// Nothing unless it is given so.
  std::optional<SparseRowsView> as_sparse_rows() const;

 private:
  struct Dense {
    std::shared_ptr<const void> owner;
    const double* numbers;  // (rows x cols) column by column, at a multiple of 16 bytes
    Index rows;
    Index cols;
  };
  struct Sparse {
    std::shared_ptr<const void> owner;
    const double* values;
    const SparseMatrix::StorageIndex* places;  // the row of each value, ascending in a column
    const SparseMatrix::StorageIndex* starts;  // (cols + 1) where each column's values begin, and their number
    Index rows;
    Index cols;
  };
  struct SparseByRows {
    struct Columns;
    std::shared_ptr<const void> owner;
    const double* values;
    const SparseRows::StorageIndex* places;  // the column of each value, ascending in a row
    const SparseRows::StorageIndex* starts;  // (rows + 1)
    Index rows;
    Index cols;
    std::shared_ptr<Columns> columns;
  };
  static SparseView columns_of(const SparseByRows& given);
  static DataMatrix rows_of(const SparseByRows& given, Index first, Index count);  // without a copy
  struct IterateShape {
    Index rows;
    Index cols;
  };
  DenseView stored_dense() const;  // checked
  std::variant<Dense, Sparse, SparseByRows, IterateShape> storage_{};
};

}  // namespace lagnet
