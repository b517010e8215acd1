#include "algorithms/compression/top_k.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "algorithms/compression/compressor.hpp"
#include "algorithms/compression/identity.hpp"

namespace lagnet {

namespace {

/// The k-th largest |x_i|, and how many entries of that size are among the first k.
struct Threshold {
  double magnitude = 0;
  Index ties = 0;
};

/// That among values (at least k), which are put in another order.
Threshold threshold_among(std::vector<double>& magnitudes, Index k) {
  const auto kth = magnitudes.begin() + (k - 1);
  std::nth_element(magnitudes.begin(), kth, magnitudes.end(), std::greater<>());
  return {.magnitude = *kth,
          .ties = k - std::count_if(magnitudes.begin(), kth, [t = *kth](double m) { return m > t; })};
}

/// Doubles that are not below 0 have the order of their bits: their exponent and 4 more of them make a bucket.
constexpr int bucket_bits = 15;
std::size_t bucket_of(double x) { return std::bit_cast<std::uint64_t>(std::abs(x)) >> (63 - bucket_bits); }

/// Long vectors are counted by buckets first, so that few entries are left to be put in order: a pass over all of them
/// by nth_element takes longer than these two.
Threshold threshold_of(VectorRef x, Index k) {
  constexpr Index is_long = 4096;
  std::vector<double> candidates;
  if (x.size() < is_long) {
    for (const double entry : x) candidates.push_back(std::abs(entry));
    return threshold_among(candidates, k);
  }
  std::vector<std::uint32_t> count(std::size_t{1} << bucket_bits, 0);
  for (const double entry : x) ++count[bucket_of(entry)];
  std::size_t bucket = count.size() - 1;  // of the k-th largest
  Index above = 0;                        // entries in the buckets above it
  while (above + Index{count[bucket]} < k) above += count[bucket--];
  candidates.reserve(count[bucket]);
  for (const double entry : x)
    if (bucket_of(entry) == bucket) candidates.push_back(std::abs(entry));
  return threshold_among(candidates, k - above);
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
      if (is_kept(x[i], t)) indices.push_back(static_cast<std::uint32_t>(i));
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
  /// Asked for one entry after the other, since ties are kept while there is room.
  static bool is_kept(double entry, Threshold& t) {
    const double magnitude = std::abs(entry);
    return magnitude > t.magnitude || (magnitude == t.magnitude && t.ties-- > 0);
  }
  void apply(Eigen::Ref<Vector> x, CompressionDraws&) const override {
    Threshold t = threshold_of(x, kept());
    for (double& entry : x)
      if (!is_kept(entry, t)) entry = 0;
  }

  const ValueBits v_;
};

}  // namespace

std::shared_ptr<const Compressor> make_compressor(const TopKOptions& options, Index d) {
  const Index k = KeptShare{options.k, options.fraction}.of(d);
  if (k == d) return make_compressor(IdentityOptions{.value_bits = options.value_bits}, d);
  return std::make_shared<TopK>(options.value_bits, k, d);
}

}  // namespace lagnet
