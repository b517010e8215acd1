#include "sim/strip_kernels.hpp"

#include "sim/cpu_variants.hpp"

namespace lagnet {

namespace {

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

template <std::size_t rows>
[[gnu::always_inline]] inline void add_each_loop(const double* const* row, Index count, double* __restrict sum) {
  const double* r[rows];
  for (std::size_t k = 0; k < rows; ++k) r[k] = row[k];
  for (Index i = 0; i < count; ++i) {
    double s = sum[i];
    for (std::size_t k = 0; k < rows; ++k) s += r[k][i];
    sum[i] = s;
  }
}

[[gnu::always_inline]] inline void add_each_switch(const double* const* rows, std::size_t row_count, Index count,
                                                   double* sum) {
  switch (row_count) {
    case 1:
      return add_each_loop<1>(rows, count, sum);
    case 2:
      return add_each_loop<2>(rows, count, sum);
    case 3:
      return add_each_loop<3>(rows, count, sum);
    case 4:
      return add_each_loop<4>(rows, count, sum);
    case 5:
      return add_each_loop<5>(rows, count, sum);
    case 6:
      return add_each_loop<6>(rows, count, sum);
    case 7:
      return add_each_loop<7>(rows, count, sum);
    case 8:
      return add_each_loop<8>(rows, count, sum);
    default:
      return;
  }
}

[[gnu::always_inline]] inline void make_table_loop(const double* const* rows, std::size_t row_count, Index first,
                                                   Index count, Index stride, double* table) {
  for (Index i = 0; i < count; ++i) table[i] = 0;
  for (std::size_t k = 0; k < row_count; ++k) {
    const auto half = static_cast<Index>(std::size_t{1} << k);  // entries so far
    for (Index mask = 0; mask < half; ++mask) {
      const double* const without = table + mask * stride;
      double* const with = table + (half + mask) * stride;
      if (!rows[k])
        for (Index i = 0; i < count; ++i) with[i] = without[i];
      else if (mask == 0)
        for (Index i = 0; i < count; ++i) with[i] = rows[k][first + i];
      else
        add_both_loop(without, rows[k] + first, count, with);
    }
  }
}

#define LAGNET_STRIP_KERNELS(variant, target)                                                                       \
  target void add_##variant(const double* row, Index count, double* sum) { add_loop(row, count, sum); }             \
  target void add_both_##variant(const double* a, const double* b, Index count, double* sum) {                      \
    add_both_loop(a, b, count, sum);                                                                                \
  }                                                                                                                 \
  target void add_each_##variant(const double* const* rows, std::size_t row_count, Index count, double* sum) {      \
    add_each_switch(rows, row_count, count, sum);                                                                   \
  }                                                                                                                 \
  target void add_group_##variant(const double* const* rows, std::size_t row_count, Index first, Index count,       \
                                  double* sum) {                                                                    \
    add_group_loop<false>(rows, nullptr, row_count, first, count, sum);                                             \
  }                                                                                                                 \
  target void add_weighted_group_##variant(const double* const* rows, const double* weights, std::size_t row_count, \
                                           Index first, Index count, double* sum) {                                 \
    add_group_loop<true>(rows, weights, row_count, first, count, sum);                                              \
  }                                                                                                                 \
  target void make_table_##variant(const double* const* rows, std::size_t row_count, Index first, Index count,      \
                                   Index stride, double* table) {                                                   \
    make_table_loop(rows, row_count, first, count, stride, table);                                                  \
  }                                                                                                                 \
  constexpr StripKernels variant##_kernels {                                                                        \
#variant, add_##variant, add_both_##variant, add_each_##variant, add_group_##variant,                           \
        add_weighted_group_##variant, make_table_##variant                                                          \
  }

LAGNET_STRIP_KERNELS(baseline, );
#if defined(__x86_64__)
LAGNET_STRIP_KERNELS(avx2, [[gnu::target("avx2")]]);
LAGNET_STRIP_KERNELS(avx512, [[gnu::target("avx512f,avx512dq,prefer-vector-width=512")]]);
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
