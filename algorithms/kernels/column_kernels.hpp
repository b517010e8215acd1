#pragma once

#include <span>

#include "sim/base/array.hpp"

namespace lagnet {

constexpr Index columns_at_once = 4;  // of 16,384 numbers they are 512 KiB, which stay in the second-level cache

/// The inner loops of a pass over dense columns, for the machine at hand. Products are added in eight lanes, entry i in
/// lane i mod 8, and the lanes as ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7)); there are no fused multiply-adds: all
/// variants give the same bits.
struct ColumnKernels {
  const char* name;
  /// products[k] = column k times v; 1 to 4 columns of n numbers, `stride` numbers apart
  void (*dot)(const double* columns, Index stride, Index count, const double* v, Index n, double* products);
  /// sum += ((c[0] column 0 + c[1] column 1) + c[2] column 2) + c[3] column 3
  void (*axpy)(const double* columns, Index stride, Index count, const double* c, Index n, double* sum);
  /// The same with a sum of 0, whatever it held before.
  void (*combine)(const double* columns, Index stride, Index count, const double* c, Index n, double* sum);
  /// axpy of 4 columns, and dot of the 1 to 4 that follow them, row by row: while the ones come from the cache, the
  /// others come from memory.
  void (*axpy_dot)(const double* columns, Index stride, const double* c, Index n, double* sum, Index next_count,
                   const double* v, double* products);
  void (*combine_dot)(const double* columns, Index stride, const double* c, Index n, double* sum, Index next_count,
                      const double* v, double* products);
};

/// The fastest variant that this machine runs.
const ColumnKernels& column_kernels();
/// All variants that this machine runs, the baseline first.
std::span<const ColumnKernels* const> column_kernel_variants();

}  // namespace lagnet
