#include "sim/row_sums.hpp"

#include <algorithm>

namespace lagnet {

namespace {

constexpr std::size_t fused = 8;        // rows read in one pass over the strip of the sum
constexpr std::ptrdiff_t strip = 1024;  // entries: the strip of the sum stays in the first-level cache

template <bool weighted>
void add_one(const double* row, double weight, double* sum, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 0; i < count; ++i) sum[i] += weighted ? weight * row[i] : row[i];
}

template <bool weighted>
void add_fused(const double* const* rows, const double* weights, std::ptrdiff_t first, double* sum,
               std::ptrdiff_t count) {
  const double* r[fused];
  double w[fused];
  for (std::size_t k = 0; k < fused; ++k) {
    r[k] = rows[k] + first;
    w[k] = weighted ? weights[k] : 1;
  }
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    double s = sum[i];
    for (std::size_t k = 0; k < fused; ++k) s += weighted ? w[k] * r[k][i] : r[k][i];
    sum[i] = s;
  }
}

template <bool weighted>
void add_all(std::span<const double* const> rows, std::span<const double> weights, Eigen::Ref<Vector> sum) {
  for (std::ptrdiff_t first = 0; first < sum.size(); first += strip) {
    const std::ptrdiff_t count = std::min<std::ptrdiff_t>(strip, sum.size() - first);
    double* const out = sum.data() + first;
    std::size_t k = 0;
    for (; k + fused <= rows.size(); k += fused)
      add_fused<weighted>(rows.data() + k, weighted ? weights.data() + k : nullptr, first, out, count);
    for (; k < rows.size(); ++k) add_one<weighted>(rows[k] + first, weighted ? weights[k] : 1, out, count);
  }
}

}  // namespace

void add_rows(std::span<const double* const> rows, std::span<const double> weights, Eigen::Ref<Vector> sum) {
  if (weights.empty())
    add_all<false>(rows, weights, sum);
  else
    add_all<true>(rows, weights, sum);
}

}  // namespace lagnet
