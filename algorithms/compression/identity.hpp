#pragma once

#include <memory>
#include <string_view>

#include "algorithms/compression/value_bits.hpp"
#include "sim/base/array.hpp"

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

}  // namespace lagnet
