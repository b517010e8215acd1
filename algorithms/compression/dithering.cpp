#include "algorithms/compression/dithering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/compression/compressor.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

/// B, the entries of a block.
Index block_of(const DitheringOptions& options, Index d) { return std::min(Index{options.block.value_or(d)}, d); }

double omega_of(const DitheringOptions& options, Index d) {
  const auto B = static_cast<double>(block_of(options, d));
  const auto s = static_cast<double>(options.levels);
  const double c = options.norm == DitheringNorm::l2 ? std::sqrt(B) : (1 + std::sqrt(B)) / 2;
  return std::min(B / (4 * s * s), c / s);
}

CompressorFacts dithering_facts(const DitheringOptions& options, Index d) {
  const double omega = omega_of(options, d);
  const Flops each = (options.norm == DitheringNorm::l2 ? 7 : 6) + (options.contractive ? 1 : 0);
  return {.is = options.contractive ? CompressorClass::contractive : CompressorClass::unbiased,
          .kept = d,
          .flops = each * d,
          .omega = omega,
          .delta = 1 / (1 + omega)};
}

class Dithering final : public Compressor {
 public:
  Dithering(const DitheringOptions& options, Index d)
      : Compressor(d, dithering_facts(options, d)),
        options_(options),
        B_(block_of(options, d)),
        s_(static_cast<double>(options.levels)),
        level_bits_(ceil_log2(2 * static_cast<std::uint64_t>(options.levels) + 1)) {}

  std::int64_t bits(std::int64_t scalar_bits) const override {
    return (d() + B_ - 1) / B_ * options_.value_bits.value_or(scalar_bits) + d() * level_bits_;
  }
  void encode(VectorRef x, CompressionDraws& draws, std::int64_t scalar_bits, BitWriter& to) const override {
    for (Index first = 0; first < d(); first += B_) {
      const auto block = x.segment(first, std::min(B_, d() - first));
      const double N = norm(block);
      to.put_value(N, static_cast<int>(options_.value_bits.value_or(scalar_bits)));
      for (const double entry : block)
        to.put(static_cast<std::uint64_t>(signed_level(entry, N, draws.uniform()) + s_), level_bits_);
    }
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t scalar_bits) const override {
    Vector x(d());
    for (Index first = 0; first < d(); first += B_) {
      const double N = from.take_value(static_cast<int>(options_.value_bits.value_or(scalar_bits)));
      for (double& entry : x.segment(first, std::min(B_, d() - first)))
        entry = value(static_cast<double>(from.take(level_bits_)) - s_, N);
    }
    return x;
  }

 private:
  double norm(VectorRef block) const {
    return options_.norm == DitheringNorm::l2 ? block.stableNorm() : block.lpNorm<Eigen::Infinity>();
  }
  /// sign(x_i) xi_i, a whole number from -s to s.
  double signed_level(double entry, double N, double uniform) const {
    if (N == 0) return 0;
    const double a = std::min(s_ * (std::abs(entry) / N), s_), below = std::floor(a);
    return std::copysign(below + (uniform < a - below ? 1.0 : 0.0), entry);
  }
  double value(double level, double N) const {
    const double full = level == 0 ? 0 : N * (level / s_);
    return options_.contractive ? full / (1 + *omega()) : full;
  }
  void apply(Eigen::Ref<Vector> x, CompressionDraws& draws) const override {
    for (Index first = 0; first < d(); first += B_) {
      auto block = x.segment(first, std::min(B_, d() - first));
      const double N = norm(block);
      for (double& entry : block) entry = value(signed_level(entry, N, draws.uniform()), N);
    }
  }

  const DitheringOptions options_;
  const Index B_;
  const double s_;
  const int level_bits_;
};

}  // namespace

std::shared_ptr<const Compressor> make_compressor(const DitheringOptions& options, Index d) {
  if (options.levels < 1 || options.levels > std::int64_t{1} << 31)
    throw Diagnosed("compressor", "levels: from 1 to 2147483648", fmt::format("{}", options.levels));
  if (options.block && *options.block < 1)
    throw Diagnosed("compressor", "block: at least 1", fmt::format("{}", *options.block));
  return std::make_shared<Dithering>(options, d);
}

}  // namespace lagnet
