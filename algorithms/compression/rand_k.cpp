#include "algorithms/compression/rand_k.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "algorithms/compression/compressor.hpp"
#include "algorithms/compression/identity.hpp"

namespace lagnet {

namespace {

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

std::shared_ptr<const Compressor> make_compressor(const RandKOptions& options, Index d) {
  const Index k = KeptShare{options.k, options.fraction}.of(d);
  if (k == d) return make_compressor(IdentityOptions{.value_bits = options.value_bits}, d);
  return std::make_shared<RandK>(options, k, d);
}

}  // namespace lagnet
