#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "sim/base/array.hpp"
#include "sim/base/options.hpp"

namespace lagnet {

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
