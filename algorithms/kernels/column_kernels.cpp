#include "algorithms/kernels/column_kernels.hpp"

#include "sim/machine/processor.hpp"

namespace lagnet {

namespace {

constexpr Index lanes = 8;
// clang heeds `aligned` in a typedef alone, and not in a reference that a function returns: numbers would have
// to lie at multiples of 64 bytes.
typedef double Lanes __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));

/// Numbers of each column that are fetched ahead of their use: 2 KiB, about what a core can have under way. Without it
/// a pass over columns in memory takes a tenth longer. What is fetched past the last column costs nothing.
constexpr Index ahead = 256;

const Lanes* lanes_at(const double* numbers) { return reinterpret_cast<const Lanes*>(numbers); }
Lanes* lanes_at(double* numbers) { return reinterpret_cast<Lanes*>(numbers); }

// The loops, once; each variant below compiles them for its instructions.

template <Index columns>
[[gnu::always_inline]] inline void dot_row(const double* column, Index stride, const double* v, Index i, Lanes* sum) {
  const Lanes x = *lanes_at(v + i);
  for (Index k = 0; k < columns; ++k) {
    __builtin_prefetch(column + k * stride + i + ahead);
    sum[k] += *lanes_at(column + k * stride + i) * x;
  }
}

/// Ends the dot products whose rows from `i` on make no whole lanes.
template <Index columns>
[[gnu::always_inline]] inline void finish_dot(const double* column, Index stride, const double* v, Index i, Index n,
                                              Lanes* sum, double* products) {
  for (Index lane = 0; i < n; ++i, ++lane)
    for (Index k = 0; k < columns; ++k) sum[k][lane] += column[k * stride + i] * v[i];
  for (Index k = 0; k < columns; ++k) {
    const Lanes s = sum[k];
    products[k] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }
}

template <Index columns>
[[gnu::always_inline]] inline void dot_loop(const double* column, Index stride, const double* v, Index n,
                                            double* products) {
  Lanes sum[columns] = {};
  Index i = 0;
  for (; i + lanes <= n; i += lanes) dot_row<columns>(column, stride, v, i, sum);
  finish_dot<columns>(column, stride, v, i, n, sum, products);
}

template <Index columns, bool anew>
[[gnu::always_inline]] inline void axpy_rows(const double* column, Index stride, const double* c, Index first,
                                             Index end, double* __restrict sum) {
  for (Index i = first; i < end; ++i) {
    double s = c[0] * column[i];
    for (Index k = 1; k < columns; ++k) s += c[k] * column[k * stride + i];
    sum[i] = (anew ? 0.0 : sum[i]) + s;
  }
}

template <Index columns>
[[gnu::always_inline]] inline void add_loop(const double* column, Index stride, const double* c, Index n, double* sum) {
  axpy_rows<columns, false>(column, stride, c, 0, n, sum);
}
template <Index columns>
[[gnu::always_inline]] inline void set_loop(const double* column, Index stride, const double* c, Index n, double* sum) {
  axpy_rows<columns, true>(column, stride, c, 0, n, sum);
}

template <Index next_columns, bool anew>
[[gnu::always_inline]] inline void axpy_dot_loop(const double* column, Index stride, const double* c, Index n,
                                                 double* sum, const double* v, double* products) {
  const double* const next = column + columns_at_once * stride;
  Lanes dots[next_columns] = {};
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    Lanes s = c[0] * *lanes_at(column + i);
    for (Index k = 1; k < columns_at_once; ++k) s += c[k] * *lanes_at(column + k * stride + i);
    *lanes_at(sum + i) = (anew ? Lanes{} : *lanes_at(sum + i)) + s;
    dot_row<next_columns>(next, stride, v, i, dots);
  }
  axpy_rows<columns_at_once, anew>(column, stride, c, i, n, sum);
  finish_dot<next_columns>(next, stride, v, i, n, dots, products);
}

template <Index next_columns>
[[gnu::always_inline]] inline void add_dot_loop(const double* column, Index stride, const double* c, Index n,
                                                double* sum, const double* v, double* products) {
  axpy_dot_loop<next_columns, false>(column, stride, c, n, sum, v, products);
}
template <Index next_columns>
[[gnu::always_inline]] inline void set_dot_loop(const double* column, Index stride, const double* c, Index n,
                                                double* sum, const double* v, double* products) {
  axpy_dot_loop<next_columns, true>(column, stride, c, n, sum, v, products);
}

#define LAGNET_EACH_COUNT(loop, ...) \
  switch (count) {                   \
    case 1:                          \
      return loop<1>(__VA_ARGS__);   \
    case 2:                          \
      return loop<2>(__VA_ARGS__);   \
    case 3:                          \
      return loop<3>(__VA_ARGS__);   \
    case 4:                          \
      return loop<4>(__VA_ARGS__);   \
    default:                         \
      return;                        \
  }

// clang-format off
#define LAGNET_COLUMN_KERNELS(variant, target)                                                                \
  target void dot_##variant(const double* columns, Index stride, Index count, const double* v, Index n,       \
                            double* products) {                                                               \
    LAGNET_EACH_COUNT(dot_loop, columns, stride, v, n, products)                                              \
  }                                                                                                           \
  target void axpy_##variant(const double* columns, Index stride, Index count, const double* c, Index n,      \
                             double* sum) {                                                                   \
    LAGNET_EACH_COUNT(add_loop, columns, stride, c, n, sum)                                                   \
  }                                                                                                           \
  target void combine_##variant(const double* columns, Index stride, Index count, const double* c, Index n,   \
                                double* sum) {                                                                \
    LAGNET_EACH_COUNT(set_loop, columns, stride, c, n, sum)                                                   \
  }                                                                                                           \
  target void axpy_dot_##variant(const double* columns, Index stride, const double* c, Index n, double* sum,  \
                                 Index count, const double* v, double* products) {                            \
    LAGNET_EACH_COUNT(add_dot_loop, columns, stride, c, n, sum, v, products)                                  \
  }                                                                                                           \
  target void combine_dot_##variant(const double* columns, Index stride, const double* c, Index n,            \
                                    double* sum, Index count, const double* v, double* products) {            \
    LAGNET_EACH_COUNT(set_dot_loop, columns, stride, c, n, sum, v, products)                                  \
  }                                                                                                           \
  constexpr ColumnKernels variant##_kernels {#variant, dot_##variant, axpy_##variant, combine_##variant,      \
                                             axpy_dot_##variant, combine_dot_##variant}
// clang-format on

LAGNET_COLUMN_KERNELS(baseline, );
#if defined(__x86_64__)
LAGNET_COLUMN_KERNELS(avx2, [[gnu::target("avx2")]]);
LAGNET_COLUMN_KERNELS(avx512, [[gnu::target(LAGNET_AVX512_TARGET)]]);
#endif

}  // namespace

std::span<const ColumnKernels* const> column_kernel_variants() {
#if defined(__x86_64__)
  static const auto variants = runnable_variants(baseline_kernels, &avx2_kernels, &avx512_kernels);
#else
  static const auto variants = runnable_variants<ColumnKernels>(baseline_kernels, nullptr, nullptr);
#endif
  return variants;
}

const ColumnKernels& column_kernels() {
  static const ColumnKernels& fastest = *column_kernel_variants().back();
  return fastest;
}

}  // namespace lagnet
