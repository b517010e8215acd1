#pragma once

#include <cstdint>
#include <optional>

#include "sim/base/options.hpp"

/// The size of the numbers that a compressor sends: an option of several kinds.
namespace lagnet {

using ValueBits = std::optional<std::int64_t>;  // nothing: as large as numbers are on the wire

void declare_value_bits(auto& self, auto& field) {
  field(
      "value_bits", self.value_bits,
      "bits of a number that is sent: 64, 32 or 16; null: those of network.bytes_per_scalar. They are billed, numbers "
      "are not rounded");
}
void check_value_bits(const auto& options, auto& report) {
  const ValueBits& v = options.value_bits;
  if (v && *v != 64 && *v != 32 && *v != 16) report("value_bits", "64, 32 or 16", *v);
}

}  // namespace lagnet
