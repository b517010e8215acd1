#pragma once

#include <memory>
#include <string_view>

#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"

namespace lagnet {

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

}  // namespace lagnet
