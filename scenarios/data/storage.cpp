#include "scenarios/data/storage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "scenarios/files/data_diagnostics.hpp"
#include "sim/base/errors.hpp"
#include "sim/machine/allowance.hpp"

namespace lagnet {

DataMatrix MatrixEntries::assemble(Index rows, Index columns, Storage storage, const std::string& origin) const {
  LAGNET_CHECK(rows <= index_max && columns <= index_max && count() <= index_max, "{} entries in {} x {}", count(),
               rows, columns);
  const double places = static_cast<double>(rows) * static_cast<double>(columns);
  const bool sparse = storage == Storage::automatic ? static_cast<double>(count()) < sparse_below_density * places
                                                    : storage == Storage::sparse;
  const double bytes = sparse ? 4.0 * static_cast<double>(columns) + 12.0 * static_cast<double>(count()) : 8 * places;
  if (const auto budget = static_cast<double>(memory_budget()); bytes > budget)
    refuse_data(
        origin,
        fmt::format("data of at most {:.3g} GB, the memory budget of runs here (--memory-budget-mib)", budget / 1e9),
        fmt::format("{:.3g} GB: {} samples, {} features", bytes / 1e9, rows, columns));
  if (sparse) {
    SparseMatrix X(rows, columns);
    X.setFromTriplets(values_.begin(), values_.end());
    return DataMatrix(std::move(X));
  }
  Matrix X = Matrix::Zero(rows, columns);
  for (const auto& entry : values_) X(entry.row(), entry.col()) = entry.value();
  return DataMatrix(std::move(X));
}

std::vector<Index> index_range(Index first, Index end) {
  std::vector<Index> all(static_cast<std::size_t>(end - first));
  std::iota(all.begin(), all.end(), first);
  return all;
}

DataMatrix selected(const DataMatrix& X, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  if (const auto dense = X.as_dense()) return DataMatrix(Matrix((*dense)(rows, columns)));
  if (!X.has_numbers()) return DataMatrix::of_shape(std::ssize(rows), std::ssize(columns));
  const SparseView from = *X.as_sparse();
  std::vector<Index> place(static_cast<std::size_t>(from.rows()), -1);  // where a row goes
  for (std::size_t i = 0; i < rows.size(); ++i) place[static_cast<std::size_t>(rows[i])] = static_cast<Index>(i);
  SparseMatrix to(std::ssize(rows), std::ssize(columns));
  std::vector<std::pair<Index, double>> kept;  // of a column
  for (Index j = 0; j < to.cols(); ++j) {
    kept.clear();
    for (SparseView::InnerIterator entry(from, columns[static_cast<std::size_t>(j)]); entry; ++entry)
      if (const Index row = place[static_cast<std::size_t>(entry.row())]; row >= 0)
        kept.emplace_back(row, entry.value());
    std::ranges::sort(kept, {}, &std::pair<Index, double>::first);
    to.startVec(j);
    for (const auto& [row, value] : kept) to.insertBack(row, j) = value;
  }
  to.finalize();
  return DataMatrix(std::move(to));
}

DataMatrix selected_rows(const DataMatrix& X, const std::vector<Index>& rows) {
  if (!X.has_numbers()) return DataMatrix::of_shape(std::ssize(rows), X.cols());  // of any number of columns
  return selected(X, rows, index_range(0, X.cols()));
}

}  // namespace lagnet
