#include "algorithms/compression/kept_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

int bits_of_index(Index d) { return ceil_log2(static_cast<std::uint64_t>(d)); }
bool is_list(Index k, Index d) { return k * bits_of_index(d) <= d; }

}  // namespace

Index KeptShare::of(Index d) const {
  if (k.has_value() == fraction.has_value())
    throw Diagnosed("compressor", "one of k and fraction", k ? "both of them" : "neither of them");
  if (k && *k < 1) throw Diagnosed("compressor", "k: at least 1", fmt::format("{}", *k));
  if (k) return std::min(Index{*k}, d);
  if (!(*fraction > 0 && *fraction <= 1))
    throw Diagnosed("compressor", "fraction: above 0 and at most 1", fmt::format("{}", *fraction));
  constexpr double rounding = 1e-9;  // 0.3 of 10 entries are 3, not 4
  const auto count = static_cast<Index>(std::ceil(*fraction * static_cast<double>(d) - rounding));
  return std::clamp(count, Index{1}, d);
}

std::int64_t index_bits(Index k, Index d) { return is_list(k, d) ? k * bits_of_index(d) : d; }

void put_indices(const std::vector<std::uint32_t>& indices, Index d, BitWriter& to) {
  if (is_list(std::ssize(indices), d)) {
    for (const std::uint32_t i : indices) to.put(i, bits_of_index(d));
    return;
  }
  auto next = indices.begin();
  for (Index i = 0; i < d; ++i) {
    const bool is_kept = next != indices.end() && Index{*next} == i;
    to.put(is_kept ? 1 : 0, 1);
    if (is_kept) ++next;
  }
}

std::vector<std::uint32_t> take_indices(Index k, Index d, BitReader& from) {
  std::vector<std::uint32_t> indices;
  if (is_list(k, d)) {
    for (Index j = 0; j < k; ++j) indices.push_back(static_cast<std::uint32_t>(from.take(bits_of_index(d))));
    return indices;
  }
  for (std::uint32_t i = 0; Index{i} < d; ++i)
    if (from.take(1) == 1) indices.push_back(i);
  return indices;
}

}  // namespace lagnet
