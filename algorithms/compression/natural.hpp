#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "sim/base/array.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

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

}  // namespace lagnet
