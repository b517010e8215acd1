#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "algorithms/problem/data_matrix.hpp"

namespace lagnet {

/// Independent columns of A, and each of the others as what it is exactly: a combination of them.
struct ColumnBasis {
  struct Combination {
    Index column;
    /// Column and coefficient. The coefficients are exact, but for that of a single term, which may round.
    std::vector<std::pair<Index, double>> terms;
  };
  std::vector<Index> independent;
  std::vector<Combination> others;
};

/// By Householder reflections with pivoting on A, whose columns should be of similar size. A column that seems
/// dependent counts as such only where this holds in exact arithmetic, with coefficients of ten bits or as a multiple
/// of another column: copies, constant columns, indicators that add up to a constant. Nothing where that cannot be
/// shown, or where A has more than 4e6 entries.
std::optional<ColumnBasis> column_basis(const DataMatrix& A);

}  // namespace lagnet
