#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

class Compressor;

/// Q(x) = x, in d numbers.
struct IdentityOptions {
  static constexpr std::string_view kind = "identity";
  static constexpr std::string_view summary = "sends all numbers as they are";
  ValueBits value_bits = {};
  static void fields(auto& self, auto& field) { declare_value_bits(self, field); }
  void check(auto& report) const { check_value_bits(*this, report); }
};

std::shared_ptr<const Compressor> make_compressor(const IdentityOptions& options, Index d);

class Compressor;

/// Q(x) = |x|_1 / d sign(x), sign(0) = +1: one number and a bit for each entry. Contractive with delta = |x|_1^2 / (d
/// |x|_2^2), at least 1/d. Sources: Bernstein, Wang, Azizzadenesheli, Anandkumar, "signSGD" (2018); Karimireddy,
/// Rebjock, Stich, Jaggi, "Error feedback fixes SignSGD and other gradient compression schemes" (2019), algorithm 2.
struct ScaledSignOptions {
  static constexpr std::string_view kind = "scaled_sign";
  static constexpr std::string_view summary = "signs, times the mean absolute value (contractive)";
  ValueBits value_bits = {};
  static void fields(auto& self, auto& field) { declare_value_bits(self, field); }
  void check(auto& report) const { check_value_bits(*this, report); }
};

std::shared_ptr<const Compressor> make_compressor(const ScaledSignOptions& options, Index d);

class Compressor;

/// Natural compression: with |x_i| = f 2^e, 1 <= f < 2,
///
///     Q(x)_i = sign(x_i) 2^(e+1) if u_i < f - 1, else sign(x_i) 2^e
///
/// Unbiased with omega = 1/8; a sign and an exponent for each entry, which takes one draw, zeros too. Powers below
/// 2^-126 (8 bits) or 2^-1022 (11) are 0, those above 2^127 or 2^1023 are the largest. Source: Horvath, Ho, Horvath,
/// Sahu, Canini, Richtarik, "Natural compression for distributed deep learning" (2019), definition 1.
struct NaturalOptions {
  static constexpr std::string_view kind = "natural";
  static constexpr std::string_view summary = "rounds entries at random to a power of two (unbiased)";
  std::int64_t exponent_bits = 8;
  bool contractive = false;
  static void fields(auto& self, auto& field) {
    field("exponent_bits", self.exponent_bits, "bits of an exponent: 8 or 11");
    field("contractive", self.contractive, "true: divided by 1 + omega, which is contractive and biased");
  }
  void check(auto& report) const {
    if (exponent_bits != 8 && exponent_bits != 11) report("exponent_bits", "8 or 11", exponent_bits);
  }
};

/// Throws Diagnosed for other exponents.
std::shared_ptr<const Compressor> make_compressor(const NaturalOptions& options, Index d);

class Compressor;

/// Formats of IEEE 754 with p = 24, 11 and 8 significant bits; bfloat16 has the exponents of float32.
enum class NumberFormat { float32, float16, bfloat16 };
constexpr auto spellings(NumberFormat) {
  return std::array{Spelling{NumberFormat::float32, "float32"}, Spelling{NumberFormat::float16, "float16"},
                    Spelling{NumberFormat::bfloat16, "bfloat16"}};
}

/// The nearest number of a smaller format, of two equally near ones the even one; the largest finite number where that
/// is too small, and gradual underflow. Contractive with delta = 1 - u^2, u = 2^-p, for entries that do not underflow.
/// Its bias is that of rounding, so that methods for unbiased compressors take it, too.
struct RoundingOptions {
  static constexpr std::string_view kind = "rounding";
  static constexpr std::string_view summary = "rounds to a smaller format of numbers (contractive, hardly biased)";
  NumberFormat format = NumberFormat::float32;
  static void fields(auto& self, auto& field) {
    field("format", self.format, "float32 (32 bits), float16 or bfloat16 (16 bits)");
  }
};

std::shared_ptr<const Compressor> make_compressor(const RoundingOptions& options, Index d);

}  // namespace lagnet
