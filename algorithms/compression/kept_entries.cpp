#include "algorithms/compression/kept_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/compression/compressor.hpp"
#include "algorithms/compression/entrywise.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

int bits_of_index(Index d) { return ceil_log2(static_cast<std::uint64_t>(d)); }
bool is_list(Index k, Index d) { return k * bits_of_index(d) <= d; }

/// The k-th largest size, and how many entries of just that size are among the k.
struct Threshold {
  double size = 0;
  Index ties = 0;
  /// Asked for one entry after the other, since ties are kept while there is room. No branch, which would be
  /// mispredicted.
  bool keeps(double entry) {
    const double its = std::abs(entry);
    const bool is_tie = its == size, is_kept = (its > size) | (is_tie & (ties > 0));
    ties -= is_tie ? 1 : 0;
    return is_kept;
  }
};

/// The entry, or 0: without a branch.
double kept_or_zero(bool is_kept, double entry) {
  const std::uint64_t mask = std::uint64_t{0} - std::uint64_t{is_kept};
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(entry) & mask);
}

/// That among these sizes (at least k), which are put in another order.
Threshold threshold_among(std::vector<double>& sizes, Index k) {
  const auto kth = sizes.begin() + (k - 1);
  std::nth_element(sizes.begin(), kth, sizes.end(), std::greater<>());
  return {.size = *kth, .ties = k - std::count_if(sizes.begin(), kth, [t = *kth](double size) { return size > t; })};
}

/// Vectors from this length on are worth a sample, which is of 4096 entries.
constexpr Index is_long = 1 << 14;

/// What the k-th largest of many sizes lies between, almost certainly: sizes of a sample at places spread over the
/// vector, some ranks before and after that of the k-th. Callers count them.
struct Bounds {
  double low = 0, high = std::numeric_limits<double>::max();
};
Bounds bounds_of_kth(VectorRef x, Index k) {
  constexpr std::uint64_t sampled = 4096, spread = 2654435761;  // odd, near 2^32 times the golden section
  const auto d = static_cast<std::uint64_t>(x.size());
  std::vector<double> sizes;
  for (std::uint64_t j = 0; j < sampled; ++j)
    sizes.push_back(std::abs(x[static_cast<Index>((j * spread % (std::uint64_t{1} << 32)) * d >> 32)]));
  std::ranges::sort(sizes, std::greater<>());
  const double rank = static_cast<double>(sampled) * static_cast<double>(k) / static_cast<double>(d);
  const double apart = 3 * std::sqrt(rank) + 3;  // three standard deviations and more
  Bounds bounds;
  if (rank + apart < static_cast<double>(sampled)) bounds.low = sizes[static_cast<std::size_t>(rank + apart)];
  if (rank > apart) bounds.high = sizes[static_cast<std::size_t>(rank - apart)];
  return bounds;
}

/// Few sizes are left to be put in order: nth_element over all of them takes longer.
Threshold threshold_of(VectorRef x, Index k) {
  constexpr Index piece = 1024;
  const Bounds bounds = x.size() < is_long ? Bounds() : bounds_of_kth(x, k);
  std::array<double, piece> found;
  std::vector<double> between;
  Index above = 0;
  for (Index first = 0; first < x.size(); first += piece) {
    Index n = 0;
    for (const double entry : x.segment(first, std::min(piece, x.size() - first))) {
      const double size = std::abs(entry);
      found[static_cast<std::size_t>(n)] = size;
      above += size > bounds.high ? 1 : 0;
      n += (size >= bounds.low) & (size <= bounds.high) ? 1 : 0;
    }
    between.insert(between.end(), found.begin(), found.begin() + n);
  }
  if (above < k && above + std::ssize(between) >= k) return threshold_among(between, k - above);
  std::vector<double> sizes(x.size());
  Vector::Map(sizes.data(), x.size()) = x.cwiseAbs();
  return threshold_among(sizes, k);
}

/// Ascending indices of the k largest entries where these are few, or none where it does not find them: most entries
/// are passed over by eights.
std::vector<std::uint32_t> few_largest(VectorRef x, Index k) {
  constexpr Index together = 8;
  const double bound = bounds_of_kth(x, k).low;
  std::vector<std::uint32_t> large;
  std::vector<double> sizes;
  for (Index first = 0; first < x.size(); first += together) {
    const Index end = std::min(first + together, x.size());
    if (end == first + together && x.segment<together>(first).lpNorm<Eigen::Infinity>() < bound) continue;
    for (Index i = first; i < end; ++i)
      if (std::abs(x[i]) >= bound) large.push_back(static_cast<std::uint32_t>(i));
  }
  if (std::ssize(large) < k) return {};
  for (const std::uint32_t i : large) sizes.push_back(std::abs(x[i]));
  Threshold t = threshold_among(sizes, k);
  std::erase_if(large, [&](std::uint32_t i) { return !t.keeps(x[i]); });
  return large;
}

class TopK final : public Compressor {
 public:
  TopK(const ValueBits& v, Index k, Index d)
      : Compressor(d, {.is = CompressorClass::contractive,
                       .kept = k,
                       .flops = d + d * ceil_log2(static_cast<std::uint64_t>(k) + 1),
                       .omega = std::nullopt,
                       .delta = static_cast<double>(k) / static_cast<double>(d)}),
        v_(v) {}

  std::int64_t bits(std::int64_t scalar_bits) const override {
    return kept() * v_.value_or(scalar_bits) + index_bits(kept(), d());
  }
  void encode(VectorRef x, CompressionDraws&, std::int64_t scalar_bits, BitWriter& to) const override {
    Threshold t = threshold_of(x, kept());
    std::vector<std::uint32_t> indices;
    for (Index i = 0; i < d(); ++i)
      if (t.keeps(x[i])) indices.push_back(static_cast<std::uint32_t>(i));
    put_indices(indices, d(), to);
    for (const std::uint32_t i : indices) to.put_value(x[i], static_cast<int>(v_.value_or(scalar_bits)));
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t scalar_bits) const override {
    Vector x = Vector::Zero(d());
    for (const std::uint32_t i : take_indices(kept(), d(), from))
      x[i] = from.take_value(static_cast<int>(v_.value_or(scalar_bits)));
    return x;
  }

 private:
  void apply(Eigen::Ref<Vector> x, CompressionDraws&) const override {
    if (d() >= is_long && 16 * kept() <= d() && keep_few(x)) return;
    Threshold t = threshold_of(x, kept());
    for (double& entry : x) entry = kept_or_zero(t.keeps(entry), entry);
  }
  bool keep_few(Eigen::Ref<Vector> x) const {
    const std::vector<std::uint32_t> indices = few_largest(x, kept());
    if (indices.empty()) return false;
    std::vector<double> values;
    for (const std::uint32_t i : indices) values.push_back(x[i]);
    x.setZero();
    for (std::size_t j = 0; j < indices.size(); ++j) x[indices[j]] = values[j];
    return true;
  }

  const ValueBits v_;
};

CompressorFacts facts_of(const RandKOptions& options, Index k, Index d) {
  const double share = static_cast<double>(k) / static_cast<double>(d);
  if (options.scaled)
    return {.is = CompressorClass::unbiased, .kept = k, .flops = 2 * k, .omega = 1 / share - 1, .delta = share};
  return {.is = CompressorClass::contractive, .kept = k, .flops = k, .omega = std::nullopt, .delta = share};
}

class RandK final : public Compressor {
 public:
  RandK(const RandKOptions& options, Index k, Index d) : Compressor(d, facts_of(options, k, d)), options_(options) {}

  std::int64_t bits(std::int64_t scalar_bits) const override {
    const std::int64_t indices = options_.indices == IndicesAre::sent ? index_bits(kept(), d()) : 0;
    return kept() * options_.value_bits.value_or(scalar_bits) + indices;
  }
  void encode(VectorRef x, CompressionDraws& draws, std::int64_t scalar_bits, BitWriter& to) const override {
    const std::vector<std::uint32_t> indices = drawn(draws);
    if (options_.indices == IndicesAre::sent) put_indices(indices, d(), to);
    for (const std::uint32_t i : indices)
      to.put_value(scale() * x[i], static_cast<int>(options_.value_bits.value_or(scalar_bits)));
  }
  Vector decode(BitReader& from, CompressionDraws& draws, std::int64_t scalar_bits) const override {
    const bool are_sent = options_.indices == IndicesAre::sent;
    const std::vector<std::uint32_t> indices = are_sent ? take_indices(kept(), d(), from) : drawn(draws);
    Vector x = Vector::Zero(d());
    for (const std::uint32_t i : indices)
      x[i] = from.take_value(static_cast<int>(options_.value_bits.value_or(scalar_bits)));
    return x;
  }

 private:
  double scale() const { return options_.scaled ? static_cast<double>(d()) / static_cast<double>(kept()) : 1; }
  /// Indices (k), ascending: the first k of a shuffle of all.
  std::vector<std::uint32_t> drawn(CompressionDraws& draws) const {
    std::vector<std::uint32_t> a(static_cast<std::size_t>(d()));
    std::iota(a.begin(), a.end(), std::uint32_t{0});
    const auto k = static_cast<std::size_t>(kept());
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t left = a.size() - j;
      const auto r = j + static_cast<std::size_t>(draws.uniform() * static_cast<double>(left));
      std::swap(a[j], a[r]);
    }
    a.resize(k);
    std::ranges::sort(a);
    return a;
  }
  void apply(Eigen::Ref<Vector> x, CompressionDraws& draws) const override {
    Index next = 0;
    for (const std::uint32_t i : drawn(draws)) {
      x.segment(next, Index{i} - next).setZero();
      x[i] *= scale();
      next = Index{i} + 1;
    }
    x.tail(d() - next).setZero();
  }

  const RandKOptions options_;
};

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

std::shared_ptr<const Compressor> make_compressor(const TopKOptions& options, Index d) {
  const Index k = KeptShare{options.k, options.fraction}.of(d);
  if (k == d) return make_compressor(IdentityOptions{.value_bits = options.value_bits}, d);
  return std::make_shared<TopK>(options.value_bits, k, d);
}

std::shared_ptr<const Compressor> make_compressor(const RandKOptions& options, Index d) {
  const Index k = KeptShare{options.k, options.fraction}.of(d);
  if (k == d) return make_compressor(IdentityOptions{.value_bits = options.value_bits}, d);
  return std::make_shared<RandK>(options, k, d);
}

}  // namespace lagnet
