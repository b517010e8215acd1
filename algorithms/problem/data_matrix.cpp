#include "algorithms/problem/data_matrix.hpp"

#include <cmath>
#include <cstdint>
#include <mutex>

#include "sim/base/errors.hpp"
#include "sim/machine/huge_pages.hpp"

namespace lagnet {

namespace {

// Eigen divides large products by the sizes of the processor's caches, which changes the order of summation. These are
// the same on every machine, before main() begins: the first-level cache of most, and less than most have of the
// others.
[[maybe_unused]] const bool blocks_are_fixed = [] {
  Eigen::setCpuCacheSizes(32 << 10, 512 << 10, 4 << 20);
  return true;
}();

}  // namespace

// Reading all of it takes a tenth to two fifths less time in large pages, depending on how far ahead the reader looks.
DataMatrix::DataMatrix(Matrix dense) {
  const auto owner = std::make_shared<Matrix>(std::move(dense));
  move_to_huge_pages(owner->data(), static_cast<std::size_t>(owner->size()) * sizeof(double));
  storage_ = Dense{owner, owner->data(), owner->rows(), owner->cols()};
}

DataMatrix::DataMatrix(SparseMatrix sparse) {
  const auto owner = std::make_shared<SparseMatrix>();
  owner->swap(sparse);
  owner->makeCompressed();
  storage_ =
      Sparse{owner, owner->valuePtr(), owner->innerIndexPtr(), owner->outerIndexPtr(), owner->rows(), owner->cols()};
}

DataMatrix::DataMatrix(const Eigen::Map<const Matrix>& numbers, std::shared_ptr<const void> owner)
    : storage_(Dense{std::move(owner), numbers.data(), numbers.rows(), numbers.cols()}) {
  // Where an array begins decides how its numbers are added up in pairs.
  LAGNET_CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % 16 == 0, "numbers at no multiple of 16 bytes");
}

DataMatrix::DataMatrix(const SparseView& numbers, std::shared_ptr<const void> owner)
    : storage_(Sparse{std::move(owner), numbers.valuePtr(), numbers.innerIndexPtr(), numbers.outerIndexPtr(),
                      numbers.rows(), numbers.cols()}) {}

struct DataMatrix::SparseByRows::Columns {
  std::once_flag made;
  SparseMatrix matrix;
};

DataMatrix::DataMatrix(const SparseRowsView& numbers, std::shared_ptr<const void> owner)
    : storage_(SparseByRows{std::move(owner), numbers.valuePtr(), numbers.innerIndexPtr(), numbers.outerIndexPtr(),
                            numbers.rows(), numbers.cols(), std::make_shared<SparseByRows::Columns>()}) {}

std::optional<SparseRowsView> DataMatrix::as_sparse_rows() const {
  const auto* given = std::get_if<SparseByRows>(&storage_);
  if (!given) return std::nullopt;
  return SparseRowsView(given->rows, given->cols, given->starts[given->rows], given->starts, given->places,
                        given->values);
}

DataMatrix DataMatrix::rows_of(const SparseByRows& given, Index first, Index count) {
  struct Part {
    std::shared_ptr<const void> whole;
    std::vector<SparseRows::StorageIndex> starts;
  };
  auto part = std::make_shared<Part>(Part{given.owner, {given.starts + first, given.starts + first + count + 1}});
  const auto before = part->starts.front();
  for (auto& start : part->starts) start -= before;
  const SparseRowsView rows(count, given.cols, part->starts.back(), part->starts.data(), given.places + before,
                            given.values + before);
  return {rows, std::move(part)};
}

SparseView DataMatrix::columns_of(const SparseByRows& given) {
  std::call_once(given.columns->made, [&given] {
    given.columns->matrix =
        SparseRowsView(given.rows, given.cols, given.starts[given.rows], given.starts, given.places, given.values);
  });
  const SparseMatrix& made = given.columns->matrix;
  return {made.rows(), made.cols(), made.nonZeros(), made.outerIndexPtr(), made.innerIndexPtr(), made.valuePtr()};
}

Matrix DataMatrix::unfilled(Index rows, Index cols) {
  Matrix X(rows, cols);
  advise_huge_pages(X.data(), static_cast<std::size_t>(X.size()) * sizeof(double));
  return X;
}

DataMatrix DataMatrix::of_shape(Index rows, Index cols) {
  DataMatrix matrix;
  matrix.storage_ = IterateShape{rows, cols};
  return matrix;
}

DenseView DataMatrix::stored_dense() const {
  const auto dense = as_dense();
  LAGNET_CHECK(dense, "numbers of a {} x {} matrix that has none", rows(), cols());
  return *dense;
}

Index DataMatrix::nonzeros() const {
  if (const auto by_rows = as_sparse_rows()) return by_rows->nonZeros();
  if (const auto sparse = as_sparse()) return sparse->nonZeros();
  return rows() * cols();
}

Bytes DataMatrix::bytes() const {
  constexpr Bytes number = sizeof(double), place = sizeof(SparseMatrix::StorageIndex);
  return is_sparse() ? (number + place) * nonzeros() + place * (cols() + 1) : number * nonzeros();
}

bool DataMatrix::all_finite() const {
  if (const auto by_rows = as_sparse_rows()) return VectorView(by_rows->valuePtr(), by_rows->nonZeros()).allFinite();
  if (const auto sparse = as_sparse()) return VectorView(sparse->valuePtr(), sparse->nonZeros()).allFinite();
  return stored_dense().allFinite();
}

std::optional<DataMatrix::Entry> DataMatrix::first_not_finite() const {
  if (all_finite()) return std::nullopt;
  if (const auto sparse = as_sparse()) {
    for (Index j = 0; j < sparse->outerSize(); ++j) {
      for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry) {
        if (!std::isfinite(entry.value())) return Entry{entry.row(), j, entry.value()};
      }
    }
    return std::nullopt;
  }
  const DenseView x = stored_dense();
  for (Index j = 0; j < x.cols(); ++j) {
    for (Index i = 0; i < x.rows(); ++i) {
      if (!std::isfinite(x(i, j))) return Entry{i, j, x(i, j)};
    }
  }
  return std::nullopt;
}

bool DataMatrix::is_zero() const {
  if (const auto by_rows = as_sparse_rows()) return VectorView(by_rows->valuePtr(), by_rows->nonZeros()).isZero(0);
  if (const auto sparse = as_sparse()) return VectorView(sparse->valuePtr(), sparse->nonZeros()).isZero(0);
  return stored_dense().isZero(0);
}

double DataMatrix::squared_norm() const {
  return is_sparse() ? as_sparse()->squaredNorm() : stored_dense().squaredNorm();
}

DataMatrix DataMatrix::columns(Index first, Index count) const {
  LAGNET_CHECK(first >= 0 && count >= 0 && first + count <= cols(), "columns {} to {} of {}", first, first + count,
               cols());
  if (const auto sparse = as_sparse()) return DataMatrix(SparseMatrix(sparse->middleCols(first, count)));
  if (!has_numbers()) return of_shape(rows(), count);
  return DataMatrix(Matrix(stored_dense().middleCols(first, count)));
}

DataMatrix DataMatrix::row_range(Index first, Index count) const {
  LAGNET_CHECK(first >= 0 && count >= 0 && first + count <= rows(), "rows {} to {} of {}", first, first + count,
               rows());
  if (const auto* by_rows = std::get_if<SparseByRows>(&storage_)) return rows_of(*by_rows, first, count);
  if (const auto sparse = as_sparse()) return DataMatrix(SparseMatrix(sparse->middleRows(first, count)));
  if (!has_numbers()) return of_shape(count, cols());
  return DataMatrix(Matrix(stored_dense().middleRows(first, count)));
}

DataMatrix DataMatrix::rows(const std::vector<Index>& which) const {
  const Index count = std::ssize(which);
  for (const Index i : which) LAGNET_CHECK(i >= 0 && i < rows(), "row {} of {}", i, rows());
  if (!has_numbers()) return of_shape(count, cols());
  if (const auto dense = as_dense()) return DataMatrix(Matrix((*dense)(which, Eigen::all)));
  SparseMatrix chosen(count, rows());
  chosen.reserve(count);
  for (std::size_t k = 0; k < which.size(); ++k) chosen.insert(static_cast<Index>(k), which[k]) = 1;
  return DataMatrix(SparseMatrix(chosen * *as_sparse()));
}

DataMatrix DataMatrix::columns(const std::vector<Index>& which) const {
  const Index count = static_cast<Index>(which.size());
  for (const Index j : which) LAGNET_CHECK(j >= 0 && j < cols(), "column {} of {}", j, cols());
  if (!has_numbers()) return of_shape(rows(), count);
  if (const auto dense = as_dense()) {
    Matrix chosen(rows(), count);
    for (Index k = 0; k < count; ++k) chosen.col(k) = dense->col(which[static_cast<std::size_t>(k)]);
    return DataMatrix(std::move(chosen));
  }
  const SparseView sparse = *as_sparse();
  Index entries = 0;
  for (const Index j : which) entries += sparse.col(j).nonZeros();
  SparseMatrix chosen(rows(), count);
  chosen.reserve(entries);
  for (Index k = 0; k < count; ++k) {
    chosen.startVec(k);
    for (SparseView::InnerIterator entry(sparse, which[static_cast<std::size_t>(k)]); entry; ++entry) {
      chosen.insertBackByOuterInner(k, entry.row()) = entry.value();
    }
  }
  chosen.finalize();
  return DataMatrix(std::move(chosen));
}

Vector DataMatrix::times(VectorRef coefficients) const {
  LAGNET_CHECK(coefficients.size() == cols(), "{} coefficients for {} columns", coefficients.size(), cols());
  if (const auto by_rows = as_sparse_rows()) return *by_rows * coefficients;
  if (const auto sparse = as_sparse()) return *sparse * coefficients;
  return stored_dense() * coefficients;
}

Vector DataMatrix::transpose_times(VectorRef samples) const {
  LAGNET_CHECK(samples.size() == rows(), "{} entries for {} rows", samples.size(), rows());
  if (const auto by_rows = as_sparse_rows()) return by_rows->transpose() * samples;
  if (const auto sparse = as_sparse()) return sparse->transpose() * samples;
  return stored_dense().transpose() * samples;
}

// What lies row by row in memory is the transpose of a matrix by columns: (X W)' = W' X', (X' L)' = L' X.
Vector DataMatrix::times(VectorRef coefficients, Index outputs) const {
  if (outputs == 1) return times(coefficients);
  LAGNET_CHECK(coefficients.size() == cols() * outputs, "{} coefficients for {} columns of {} scores",
               coefficients.size(), cols(), outputs);
  const Eigen::Map<const Matrix> W_t(coefficients.data(), outputs, cols());
  Matrix scores_t(outputs, rows());
  if (const auto sparse = as_sparse())
    scores_t = W_t * sparse->transpose();
  else
    scores_t.noalias() = W_t * stored_dense().transpose();
  return scores_t.reshaped();
}

Vector DataMatrix::transpose_times(VectorRef samples, Index outputs) const {
  if (outputs == 1) return transpose_times(samples);
  LAGNET_CHECK(samples.size() == rows() * outputs, "{} entries for {} rows of {} scores", samples.size(), rows(),
               outputs);
  const Eigen::Map<const Matrix> L_t(samples.data(), outputs, rows());
  Matrix product_t(outputs, cols());
  if (const auto sparse = as_sparse())
    product_t = L_t * *sparse;
  else
    product_t.noalias() = L_t * stored_dense();
  return product_t.reshaped();
}

Matrix DataMatrix::dense() const {
  if (const auto sparse = as_sparse()) return Matrix(*sparse);
  return stored_dense();
}

}  // namespace lagnet
