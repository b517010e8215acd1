#include "sim/exchange/blocked_sum_kernels.hpp"

#include <algorithm>
#include <array>

#include "sim/machine/processor.hpp"

namespace lagnet {

namespace {

// clang heeds `aligned` in a typedef alone, and not in a reference that a function returns: numbers would have
// to lie at multiples of 64 bytes.
typedef double Entry __attribute__((vector_size(table_width * sizeof(double)), aligned(alignof(double)), may_alias));

const Entry* entry_at(const double* numbers) { return reinterpret_cast<const Entry*>(numbers); }
Entry* entry_at(double* numbers) { return reinterpret_cast<Entry*>(numbers); }

// The loops, once; each variant below compiles them for its instructions.

[[gnu::always_inline]] inline void add_loop(const double* row, Index count, double* __restrict sum) {
  for (Index i = 0; i < count; ++i) sum[i] += row[i];
}

[[gnu::always_inline]] inline void add_both_loop(const double* a, const double* b, Index count,
                                                 double* __restrict sum) {
  for (Index i = 0; i < count; ++i) sum[i] = a[i] + b[i];
}

template <bool weighted, std::size_t rows>
[[gnu::always_inline]] inline void add_rows_loop(const double* const* row, const double* weight, Index first,
                                                 Index count, double* __restrict sum) {
  const double* r[rows];
  double w[rows];
  for (std::size_t k = 0; k < rows; ++k) {
    r[k] = row[k] + first;
    w[k] = weighted ? weight[k] : 1;
  }
  for (Index i = 0; i < count; ++i) {
    double group = weighted ? w[0] * r[0][i] : r[0][i];
    for (std::size_t k = 1; k < rows; ++k) group += weighted ? w[k] * r[k][i] : r[k][i];
    sum[i] += group;
  }
}

template <bool weighted>
[[gnu::always_inline]] inline void add_group_loop(const double* const* rows, const double* weights,
                                                  std::size_t row_count, Index first, Index count, double* sum) {
  switch (row_count) {
    case 1:
      return add_rows_loop<weighted, 1>(rows, weights, first, count, sum);
    case 2:
      return add_rows_loop<weighted, 2>(rows, weights, first, count, sum);
    case 3:
      return add_rows_loop<weighted, 3>(rows, weights, first, count, sum);
    case 4:
      return add_rows_loop<weighted, 4>(rows, weights, first, count, sum);
    case 5:
      return add_rows_loop<weighted, 5>(rows, weights, first, count, sum);
    case 6:
      return add_rows_loop<weighted, 6>(rows, weights, first, count, sum);
    default:
      return;
  }
}

[[gnu::always_inline]] inline void make_table_loop(const double* const* rows, Index first, Index count, double* table) {
  std::array<double, table_width> rest{};
  *entry_at(table) = Entry{};
  for (std::size_t k = 0; k < group_size; ++k) {
    const std::size_t half = table_size >> (group_size - k);  // so far
    double* const with = table + half;
    if (!rows[k]) {
      std::copy_n(table, half, with);
      continue;
    }
    const double* row = rows[k] + first;
    __builtin_prefetch(row + table_width);
    if (count < table_width) {
      std::copy_n(row, count, rest.begin());
      row = rest.data();
    }
    const Entry x = *entry_at(row);
    *entry_at(with) = x;
    for (std::size_t i = table_width; i < half; i += table_width) *entry_at(with + i) = *entry_at(table + i) + x;
  }
}

[[gnu::always_inline]] inline void add_from_tables_loop(const double* tables, const std::uint16_t* masks,
                                                        std::size_t receivers, double* sums) {
  for (std::size_t r = 0; r < receivers; ++r, masks += tables_at_once, sums += table_width) {
    Entry s = *entry_at(sums);
    for (std::size_t k = 0; k < tables_at_once; ++k) s += *entry_at(tables + k * table_size + masks[k]);
    *entry_at(sums) = s;
  }
}

#define LAGNET_STRIP_KERNELS(variant, target)                                                                       \
  target void add_##variant(const double* row, Index count, double* sum) { add_loop(row, count, sum); }             \
  target void add_both_##variant(const double* a, const double* b, Index count, double* sum) {                      \
    add_both_loop(a, b, count, sum);                                                                                \
  }                                                                                                                 \
  target void add_group_##variant(const double* const* rows, std::size_t row_count, Index first, Index count,       \
                                  double* sum) {                                                                    \
    add_group_loop<false>(rows, nullptr, row_count, first, count, sum);                                             \
  }                                                                                                                 \
  target void add_weighted_group_##variant(const double* const* rows, const double* weights, std::size_t row_count, \
                                           Index first, Index count, double* sum) {                                 \
    add_group_loop<true>(rows, weights, row_count, first, count, sum);                                              \
  }                                                                                                                 \
  target void make_table_##variant(const double* const* rows, Index first, Index count, double* table) {            \
    make_table_loop(rows, first, count, table);                                                                     \
  }                                                                                                                 \
  target void add_from_tables_##variant(const double* tables, const std::uint16_t* masks, std::size_t receivers,    \
                                        double* sums) {                                                             \
    add_from_tables_loop(tables, masks, receivers, sums);                                                           \
  }                                                                                                                 \
  constexpr StripKernels variant##_kernels {                                                                        \
#variant, add_##variant, add_both_##variant, add_group_##variant, add_weighted_group_##variant,                 \
        make_table_##variant, add_from_tables_##variant                                                             \
  }

LAGNET_STRIP_KERNELS(baseline, );
#if defined(__x86_64__)
LAGNET_STRIP_KERNELS(avx2, [[gnu::target("avx2")]]);
LAGNET_STRIP_KERNELS(avx512, [[gnu::target(LAGNET_AVX512_TARGET)]]);
#endif

}  // namespace

std::span<const StripKernels* const> strip_kernel_variants() {
#if defined(__x86_64__)
  static const auto variants = runnable_variants(baseline_kernels, &avx2_kernels, &avx512_kernels);
#else
  static const auto variants = runnable_variants<StripKernels>(baseline_kernels, nullptr, nullptr);
#endif
  return variants;
}

const StripKernels& strip_kernels() {
  static const StripKernels& fastest = *strip_kernel_variants().back();
  return fastest;
}

}  // namespace lagnet
