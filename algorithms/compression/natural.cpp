#include "algorithms/compression/natural.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "algorithms/compression/compressor.hpp"
#include "sim/base/diagnostic.hpp"

namespace lagnet {

namespace {

constexpr double natural_omega = 0.125;

class Natural final : public Compressor {
 public:
  Natural(const NaturalOptions& options, Index d)
      : Compressor(d, {.is = options.contractive ? CompressorClass::contractive : CompressorClass::unbiased,
                       .kept = d,
                       .flops = (options.contractive ? 4 : 3) * d,
                       .omega = natural_omega,
                       .delta = 1 / (1 + natural_omega)}),
        exponent_bits_(static_cast<int>(options.exponent_bits)),
        largest_((1 << (exponent_bits_ - 1)) - 1),
        divisor_(options.contractive ? 1 + natural_omega : 1) {}

  std::int64_t bits(std::int64_t) const override { return d() * (1 + exponent_bits_); }
  // An exponent e is sent as e + largest, which is at least 1; 0 stands for the number 0.
  void encode(VectorRef x, CompressionDraws& draws, std::int64_t, BitWriter& to) const override {
    for (const double entry : x) {
      const double power = rounded(entry, draws.uniform());
      to.put(power < 0 ? 1 : 0, 1);
      to.put(power == 0 ? 0 : static_cast<std::uint64_t>(std::ilogb(power) + largest_), exponent_bits_);
    }
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t) const override {
    Vector x(d());
    for (double& entry : x) {
      const double sign = from.take(1) == 1 ? -1 : 1;
      const auto code = static_cast<int>(from.take(exponent_bits_));
      entry = code == 0 ? 0 : sign * std::ldexp(1.0, code - largest_) / divisor_;
    }
    return x;
  }

 private:
  /// A power of two with the sign of the entry, or 0.
  double rounded(double entry, double u) const {
    if (entry == 0) return 0;
    int e = 0;
    const double f = 2 * std::frexp(std::abs(entry), &e);
    e += u < f - 1 ? 0 : -1;
    if (e < 1 - largest_) return 0;
    return std::copysign(std::ldexp(1.0, std::min(e, largest_)), entry);
  }
  void apply(Eigen::Ref<Vector> x, CompressionDraws& draws) const override {
    for (double& entry : x) entry = rounded(entry, draws.uniform()) / divisor_;
  }

  const int exponent_bits_;
  const int largest_;  // exponent
  const double divisor_;
};

}  // namespace

std::shared_ptr<const Compressor> make_compressor(const NaturalOptions& options, Index d) {
  if (options.exponent_bits != 8 && options.exponent_bits != 11)
    throw Diagnosed("compressor", "exponent_bits: 8 or 11", fmt::format("{}", options.exponent_bits));
  return std::make_shared<Natural>(options, d);
}

}  // namespace lagnet
