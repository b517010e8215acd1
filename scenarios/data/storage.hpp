#pragma once

#include <Eigen/SparseCore>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

/// How a matrix that was read is stored.
enum class Storage { automatic, dense, sparse };
constexpr auto spellings(Storage) {
  return std::array{Spelling{Storage::automatic, "auto"}, Spelling{Storage::dense, "dense"},
                    Spelling{Storage::sparse, "sparse"}};
}

/// With Storage::automatic a matrix is sparse below this share of non-zero entries: a sparse entry takes 12 bytes and
/// an indirect access, so that columns twice as full gain nothing from it.
constexpr double sparse_below_density = 0.25;

void declare_storage(auto& self, auto& field) {
  field("storage", self.storage, "how the matrix is stored; auto: sparse if less than a quarter of it is non-zero");
}

/// Rows, columns and non-zeros of a sparse matrix are counted in 32 bits.
constexpr std::int64_t index_max = std::numeric_limits<std::int32_t>::max();

/// The non-zero entries of a matrix in any order, each place at most once.
class MatrixEntries {
 public:
  /// Zeros are dropped, so that exactly the non-zeros are stored, for any file format.
  void add(Index row, Index column, double value) {
    if (value != 0) values_.emplace_back(static_cast<int>(row), static_cast<int>(column), value);
  }
  Index count() const { return static_cast<Index>(values_.size()); }
  /// Puts every entry of column j into column to(j).
  void move_columns(const auto& to) {
    for (auto& entry : values_) entry = {entry.row(), static_cast<int>(to(Index{entry.col()})), entry.value()};
  }
  /// The rows x columns matrix of the data called `origin`; every entry must lie inside. Throws Diagnosed if it takes
  /// more than memory_budget().
  DataMatrix assemble(Index rows, Index columns, Storage storage, const std::string& origin) const;

 private:
  std::vector<Eigen::Triplet<double>> values_;
};

/// first .. end-1
std::vector<Index> index_range(Index first, Index end);

/// What X has in these rows, each listed once, and these columns, both in this order.
DataMatrix selected(const DataMatrix& X, const std::vector<Index>& rows, const std::vector<Index>& columns);
DataMatrix selected_rows(const DataMatrix& X, const std::vector<Index>& rows);

}  // namespace lagnet
