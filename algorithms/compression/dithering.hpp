#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"

namespace lagnet {

class Compressor;

enum class DitheringNorm { l2, linf };
constexpr auto spellings(DitheringNorm) {
  return std::array{Spelling{DitheringNorm::l2, "l2"}, Spelling{DitheringNorm::linf, "linf"}};
}

/// Random dithering to s levels: with N the norm of a block of B entries,
///
///     Q(x)_i = N sign(x_i) xi_i / s,   a_i = s |x_i| / N,   xi_i = floor(a_i) + [u_i < a_i - floor(a_i)]
///
/// Unbiased. The variance of an entry is at most (N/s)^2/4, and at most N |x_i|/s, so that omega = min(B/(4 s^2),
/// c_B/s), c_B = sqrt(B) for l2 and (1 + sqrt(B))/2 for linf. Each entry takes one draw, zeros too. Sources: Alistarh,
/// Grubic, Li, Tomioka, Vojnovic, "QSGD" (2017), section 3.1, with l2; Liu, Li, Wang, Tang, Yan, "Linear convergent
/// decentralized optimization with compression" (2021), whose quantizer of b bits is linf with s = 2^(b-1). Its 2^b + 1
/// values take b + 1 bits.
struct DitheringOptions {
  static constexpr std::string_view kind = "dithering";
  static constexpr std::string_view summary = "rounds entries at random to s levels of their norm (unbiased)";
  std::int64_t levels = 1;
  DitheringNorm norm = DitheringNorm::l2;
  std::optional<std::int64_t> block = {};
  bool contractive = false;
  ValueBits value_bits = {};
  static void fields(auto& self, auto& field) {
    field("levels", self.levels, "s, levels above 0", within(1, 0x1p31));
    field("norm", self.norm, "N: l2 (QSGD) or linf, the largest absolute value");
    field("block", self.block, "B, entries that share a norm; null: all", at_least(1));
    field("contractive", self.contractive, "true: divided by 1 + omega, which is contractive and biased");
    declare_value_bits(self, field);
  }
  void check(auto& report) const { check_value_bits(*this, report); }
};

/// Throws Diagnosed for levels below 1 or above 2^31, and a block below 1.
std::shared_ptr<const Compressor> make_compressor(const DitheringOptions& options, Index d);

}  // namespace lagnet
