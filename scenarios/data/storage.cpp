#include "scenarios/data/storage.hpp"

#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

DataMatrix MatrixEntries::assemble(Index rows, Index columns, Storage storage) const {
  LAGNET_CHECK(rows <= index_max && columns <= index_max && count() <= index_max, "{} entries in {} x {}", count(),
               rows, columns);
  const double places = static_cast<double>(rows) * static_cast<double>(columns);
  const bool sparse = storage == Storage::automatic ? static_cast<double>(count()) < sparse_below_density * places
                                                    : storage == Storage::sparse;
  if (sparse) {
    SparseMatrix X(rows, columns);
    X.setFromTriplets(values_.begin(), values_.end());
    return DataMatrix(std::move(X));
  }
  Matrix X = Matrix::Zero(rows, columns);
  for (const auto& entry : values_) X(entry.row(), entry.col()) = entry.value();
  return DataMatrix(std::move(X));
}

}  // namespace lagnet
