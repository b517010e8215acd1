#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/base/array.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// Tables of partial sums: how many senders one is made of, how many entries of their vectors it has, and how many
/// tables are used together. These then stay in the first-level cache, with the sums that are made of them.
constexpr AgentId group_size = 6;
constexpr Index table_width = 8;
constexpr std::size_t table_size = (std::size_t{1} << group_size) * table_width;
constexpr std::size_t tables_at_once = 6;

/// The inner loops of sums, for the machine at hand: baseline x86-64, AVX2 or AVX-512. Each entry of a result is made
/// of the same operations in the same order in all of them, without fused multiply-adds, so they give the same bits.
struct StripKernels {
  const char* name;
  /// sum[i] += row[i]
  void (*add)(const double* row, Index count, double* sum);
  /// sum[i] = a[i] + b[i]
  void (*add_both)(const double* a, const double* b, Index count, double* sum);
  /// sum[i] += rows[0][first + i] + rows[1][first + i] + ..., 1 to 6 rows, these added first
  void (*add_group)(const double* const* rows, std::size_t row_count, Index first, Index count, double* sum);
  void (*add_weighted_group)(const double* const* rows, const double* weights, std::size_t row_count, Index first,
                             Index count, double* sum);
  /// table[mask][i] = sum of rows[k][first + i] over the bits k of mask, upwards, for i < count, at most table_width; a
  /// row that is null counts as zeros. All masks of the six rows, table_width numbers each.
  void (*make_table)(const double* const* rows, Index first, Index count, double* table);
  /// sums[r][i] = ((sums[r][i] + tables[0][masks[r][0]][i]) + tables[1][masks[r][1]][i]) + ... of all tables_at_once,
  /// for i < table_width. Instead of a mask, `masks` has the start of its numbers in the table: masks[r][k] =
  /// table_width * mask.
  void (*add_from_tables)(const double* tables, const std::uint16_t* masks, std::size_t receivers, double* sums);
};

/// The fastest that this machine runs.
const StripKernels& strip_kernels();
/// The kernels that this machine runs, the baseline first.
std::span<const StripKernels* const> strip_kernel_variants();

}  // namespace lagnet
