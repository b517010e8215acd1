#include "algorithms/compression/identity.hpp"

#include "algorithms/compression/compressor.hpp"

namespace lagnet {

namespace {

class Identity final : public Compressor {
 public:
  Identity(const ValueBits& v, Index d) : Compressor(d, {.is = CompressorClass::exact, .kept = d}), v_(v) {}

  std::int64_t bits(std::int64_t scalar_bits) const override { return d() * v_.value_or(scalar_bits); }
  void encode(VectorRef x, CompressionDraws&, std::int64_t scalar_bits, BitWriter& to) const override {
    for (const double entry : x) to.put_value(entry, static_cast<int>(v_.value_or(scalar_bits)));
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t scalar_bits) const override {
    Vector x(d());
    for (double& entry : x) entry = from.take_value(static_cast<int>(v_.value_or(scalar_bits)));
    return x;
  }

 private:
  void apply(Eigen::Ref<Vector>, CompressionDraws&) const override {}

  const ValueBits v_;
};

}  // namespace

std::shared_ptr<const Compressor> make_compressor(const IdentityOptions& options, Index d) {
  return std::make_shared<Identity>(options.value_bits, d);
}

}  // namespace lagnet
