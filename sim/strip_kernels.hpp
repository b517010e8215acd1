#pragma once

#include <cstddef>
#include <span>

#include "sim/array.hpp"

namespace lagnet {

/// The inner loops of sums, for the machine at hand: baseline x86-64, AVX2 or AVX-512. Each entry of a result is made
/// of the same operations in the same order in all of them, without fused multiply-adds, so they give the same bits.
struct StripKernels {
  const char* name;
  /// sum[i] += row[i]
  void (*add)(const double* row, Index count, double* sum);
  /// sum[i] = a[i] + b[i]
  void (*add_both)(const double* a, const double* b, Index count, double* sum);
  /// sum[i] = ((sum[i] + rows[0][i]) + rows[1][i]) + ..., 0 to 8 rows
  void (*add_each)(const double* const* rows, std::size_t row_count, Index count, double* sum);
  /// sum[i] += rows[0][first + i] + rows[1][first + i] + ..., 1 to 6 rows, these added first
  void (*add_group)(const double* const* rows, std::size_t row_count, Index first, Index count, double* sum);
  void (*add_weighted_group)(const double* const* rows, const double* weights, std::size_t row_count, Index first,
                             Index count, double* sum);
  /// table[mask * stride + i] = sum of rows[k][first + i] over the bits k of mask, upwards; a row that is null counts
  /// as zeros.
  void (*make_table)(const double* const* rows, std::size_t row_count, Index first, Index count, Index stride,
                     double* table);
};

/// The fastest that this machine runs.
const StripKernels& strip_kernels();
/// Those that this machine runs, the baseline first.
std::span<const StripKernels* const> strip_kernel_variants();

}  // namespace lagnet
