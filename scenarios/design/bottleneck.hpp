#pragma once

#include <cstdint>
#include <optional>

#include "sim/world/network.hpp"

namespace lagnet {

/// What limits an exchange in which every agent sends one message to each neighbor, all of one size: the resource that
/// needs longest for the bytes that pass it.
struct Bottleneck {
  ResourceId resource = 0;
  std::int64_t messages = 0;  // of an exchange, that pass it
  double bytes_per_s = 0;     // its bandwidth, at the beginning
  double s_per_byte = 0;      // for each byte of a message: messages / bytes_per_s, in media by the rates of pairs
  std::int64_t others = 0;    // that need as long
};

/// Nothing if nothing is limited, or if all that is are links that carry one message each at one bandwidth.
std::optional<Bottleneck> bottleneck(const Network& network);

}  // namespace lagnet
