#include "algorithms/compression/entrywise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "algorithms/compression/compressor.hpp"
#include "sim/base/diagnostic.hpp"

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

/// Numbers f 2^e with p significant bits, or multiples of 2^(e_min - p + 1) below 2^e_min.
struct BinaryFormat {
  int p, exponent_bits;
  constexpr int e_max() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int e_min() const { return 1 - e_max(); }
  constexpr int bits() const { return exponent_bits + p; }  // with the sign; the leading bit of f is not stored
  double largest() const { return std::ldexp(2 - std::ldexp(1.0, 1 - p), e_max()); }
};

constexpr BinaryFormat format_of(NumberFormat format) {
  switch (format) {
    case NumberFormat::float16:
      return {.p = 11, .exponent_bits = 5};
    case NumberFormat::bfloat16:
      return {.p = 8, .exponent_bits = 8};
    case NumberFormat::float32:
      break;
  }
  return {.p = 24, .exponent_bits = 8};
}

constexpr int double_digits = 53;

/// Rounds a finite number that is not below 0.
double rounded_magnitude(const BinaryFormat& to, double least_normal, double largest, double x) {
  if (x < least_normal) {  // the sum keeps multiples of the smallest number: a double of its size ends there
    const double shift = std::ldexp(least_normal, double_digits - to.p);
    return (x + shift) - shift;
  }
  const int dropped = double_digits - to.p;
  auto pattern = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t unit = std::uint64_t{1} << dropped, is_odd = pattern >> dropped & 1u;
  pattern += unit / 2 - 1 + is_odd;  // a carry goes on into the exponent
  pattern &= ~(unit - 1);
  return std::min(std::bit_cast<double>(pattern), largest);
}

class Rounding final : public Compressor {
 public:
  Rounding(NumberFormat format, Index d)
      : Compressor(d, {.is = CompressorClass::rounding,
                       .kept = d,
                       .flops = d,
                       .omega = std::nullopt,
                       .delta = 1 - std::ldexp(1.0, -2 * format_of(format).p)}),
        format_(format_of(format)),
        least_normal_(std::ldexp(1.0, format_.e_min())),
        largest_(format_.largest()) {}

  std::int64_t bits(std::int64_t) const override { return d() * format_.bits(); }
  void encode(VectorRef x, CompressionDraws&, std::int64_t, BitWriter& to) const override {
    for (const double entry : x) {
      const double y = rounded_magnitude(format_, least_normal_, largest_, std::abs(entry));
      const int e = y < least_normal_ ? format_.e_min() : std::ilogb(y);
      const auto f = static_cast<std::uint64_t>(std::ldexp(y, format_.p - 1 - e));  // all p bits, a whole number
      to.put(std::signbit(entry) ? 1 : 0, 1);
      to.put(y < least_normal_ ? 0 : static_cast<std::uint64_t>(e + format_.e_max()), format_.exponent_bits);
      to.put(f, format_.p - 1);
    }
  }
  Vector decode(BitReader& from, CompressionDraws&, std::int64_t) const override {
    Vector x(d());
    for (double& entry : x) {
      const double sign = from.take(1) == 1 ? -1 : 1;
      const auto exponent = static_cast<int>(from.take(format_.exponent_bits));
      const auto stored = static_cast<double>(from.take(format_.p - 1));
      const double f = stored + (exponent == 0 ? 0 : std::ldexp(1.0, format_.p - 1));
      entry = sign * std::ldexp(f, std::max(exponent, 1) - format_.e_max() - (format_.p - 1));
    }
    return x;
  }

 private:
  void apply(Eigen::Ref<Vector> x, CompressionDraws&) const override {
    for (double& entry : x)
      entry = std::copysign(rounded_magnitude(format_, least_normal_, largest_, std::abs(entry)), entry);
  }

  const BinaryFormat format_;
  const double least_normal_, largest_;
};

}  // namespace

std::shared_ptr<const Compressor> make_compressor(const IdentityOptions& options, Index d) {
  return std::make_shared<Identity>(options.value_bits, d);
}

std::shared_ptr<const Compressor> make_compressor(const ScaledSignOptions& options, Index d) {
  return std::make_shared<ScaledSign>(options.value_bits, d);
}

std::shared_ptr<const Compressor> make_compressor(const NaturalOptions& options, Index d) {
  if (options.exponent_bits != 8 && options.exponent_bits != 11)
    throw Diagnosed("compressor", "exponent_bits: 8 or 11", fmt::format("{}", options.exponent_bits));
  return std::make_shared<Natural>(options, d);
}

std::shared_ptr<const Compressor> make_compressor(const RoundingOptions& options, Index d) {
  return std::make_shared<Rounding>(options.format, d);
}

}  // namespace lagnet
