#include "algorithms/compression/top_k.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "algorithms/compression/compressor.hpp"
#include "algorithms/compression/identity.hpp"

namespace lagnet {

namespace {

/// The k-th largest |x_i|, and how many entries of that size are among the first k.
struct Threshold {
  double magnitude = 0;
  Index ties = 0;
};

Threshold threshold_of(VectorRef x, Index k) {
  Vector magnitudes = x.cwiseAbs();
  std::nth_element(magnitudes.begin(), magnitudes.begin() + (k - 1), magnitudes.end(), std::greater<>());
  const double t = magnitudes[k - 1];
  return {.magnitude = t, .ties = k - (magnitudes.head(k).array() > t).count()};
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
