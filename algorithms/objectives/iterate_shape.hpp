#pragma once

#include "sim/base/array.hpp"

namespace lagnet {

/// The shape of an iterate theta. It is always stored as one vector: a column of coefficients, or a matrix row by row.
struct IterateShape {
  Index rows = 0;
  Index cols = 1;
  bool is_matrix = false;  // a matrix may have one column, or one row
  Index size() const { return rows * cols; }
  static IterateShape vector(Index size) { return {.rows = size, .cols = 1, .is_matrix = false}; }
  static IterateShape matrix(Index rows, Index cols) { return {.rows = rows, .cols = cols, .is_matrix = true}; }
};

/// A matrix iterate as a matrix; theta (rows * cols).
inline auto as_matrix(VectorRef theta, IterateShape shape) {
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(theta.data(), shape.rows, shape.cols);
}

}  // namespace lagnet
