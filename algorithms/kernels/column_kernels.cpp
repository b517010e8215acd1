#include "algorithms/kernels/column_kernels.hpp"

#include "sim/cpu_variants.hpp"

namespace lagnet {

namespace {

constexpr Index lanes = 8;
using Lanes = double __attribute__((vector_size(lanes * sizeof(double)), aligned(alignof(double)), may_alias));

// The loops, once; each variant below compiles them for its instructions.

template <Index columns>
[[gnu::always_inline]] inline void dot_loop(const double* column, Index stride, const double* v, Index n,
                                            double* products) {
  Lanes sum[columns] = {};
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    const Lanes x = *reinterpret_cast<const Lanes*>(v + i);
    for (Index k = 0; k < columns; ++k) sum[k] += *reinterpret_cast<const Lanes*>(column + k * stride + i) * x;
  }
  for (Index lane = 0; i < n; ++i, ++lane)
    for (Index k = 0; k < columns; ++k) sum[k][lane] += column[k * stride + i] * v[i];
  for (Index k = 0; k < columns; ++k) {
    const Lanes s = sum[k];
    products[k] = ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
  }
}

template <Index columns, bool anew>
[[gnu::always_inline]] inline void axpy_loop(const double* column, Index stride, const double* c, Index n,
                                             double* __restrict sum, const double* next) {
  constexpr Index step = 32;  // numbers; each step fetches as many of every column to come
  for (Index first = 0; first < n; first += step) {
    const Index end = first + step < n ? first + step : n;
    if (next)
      for (Index k = 0; k < columns; ++k)
        for (Index i = first; i < end; i += lanes) __builtin_prefetch(next + k * stride + i, 0, 2);
    for (Index i = first; i < end; ++i) {
      double s = c[0] * column[i];
      for (Index k = 1; k < columns; ++k) s += c[k] * column[k * stride + i];
      sum[i] = (anew ? 0.0 : sum[i]) + s;
    }
  }
}

template <Index columns>
[[gnu::always_inline]] inline void add_loop(const double* column, Index stride, const double* c, Index n, double* sum,
                                            const double* next) {
  axpy_loop<columns, false>(column, stride, c, n, sum, next);
}
template <Index columns>
[[gnu::always_inline]] inline void set_loop(const double* column, Index stride, const double* c, Index n, double* sum,
                                            const double* next) {
  axpy_loop<columns, true>(column, stride, c, n, sum, next);
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
                             double* sum, const double* next) {                                               \
    LAGNET_EACH_COUNT(add_loop, columns, stride, c, n, sum, next)                                             \
  }                                                                                                           \
  target void combine_##variant(const double* columns, Index stride, Index count, const double* c, Index n,   \
                                double* sum, const double* next) {                                            \
    LAGNET_EACH_COUNT(set_loop, columns, stride, c, n, sum, next)                                             \
  }                                                                                                           \
  constexpr ColumnKernels variant##_kernels {#variant, dot_##variant, axpy_##variant, combine_##variant}
// clang-format on

LAGNET_COLUMN_KERNELS(baseline, );
#if defined(__x86_64__)
LAGNET_COLUMN_KERNELS(avx2, [[gnu::target("avx2")]]);
LAGNET_COLUMN_KERNELS(avx512, [[gnu::target("avx512f,avx512dq,prefer-vector-width=512")]]);
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
