#include "algorithms/compression/scaled_sign.hpp"

#include "algorithms/compression/compressor.hpp"

namespace lagnet {

namespace {

class ScaledSign final : public Compressor {
 public:
  ScaledSign(const ValueBits& v, Index d)
      : Compressor(d, {.is = CompressorClass::contractive,
                       .kept = d,
                       .flops = 3 * d + 1,
                       .omega = std::nullopt,
                       .delta = 1 / static_cast<double>(d)}),
        v_(v) {}

  std::int64_t bits(std::int64_t scalar_bits) const override { return v_.value_or(scalar_bits) + d(); }
  void encode(VectorRef x, CompressionDraws&, std::int64_t scalar_bits, BitWriter& to) const override {
    to.put_value(size(x), static_cast<int>(v_.value_or(scalar_bits)));
    for (const double entry : x) to.put(entry < 0 ? 1 : 0, 1);
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t scalar_bits) const override {
    const double size = from.take_value(static_cast<int>(v_.value_or(scalar_bits)));
    Vector x(d());
    for (double& entry : x) entry = from.take(1) == 1 ? -size : size;
    return x;
  }

 private:
  double size(VectorRef x) const { return x.lpNorm<1>() / static_cast<double>(d()); }
  void apply(Eigen::Ref<Vector> x, CompressionDraws&) const override {
    const double size_of_all = size(x);
    for (double& entry : x) entry = entry < 0 ? -size_of_all : size_of_all;
  }

  const ValueBits v_;
};

}  // namespace

std::shared_ptr<const Compressor> make_compressor(const ScaledSignOptions& options, Index d) {
  return std::make_shared<ScaledSign>(options.value_bits, d);
}

}  // namespace lagnet
