#pragma once

#include <array>
#include <cstdint>

#include "scenarios/link_options.hpp"

namespace lagnet {

enum class Sharing { none };
constexpr auto spellings(Sharing) { return std::array{Spelling{Sharing::none, "none"}}; }

/// The section "network" of a scenario: what the links are like, and what a message weighs.
struct NetworkOptions {
  Choice<LatencyTag> latency_ms{ConstantOptions{.value = 1}};
  Choice<DistributionTag> jitter_ms{ConstantOptions{.value = 0}};
  Choice<DistributionTag> bandwidth_bytes_per_s{ConstantOptions{.value = 125e6}};
  bool symmetric = false;
  Sharing sharing = Sharing::none;
  std::int64_t bytes_per_scalar = 8;
  std::int64_t header_bytes = 0;
  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field(
        "latency_ms", self.latency_ms,
        "time from the last byte sent to its arrival, in ms; a distribution is drawn for each direction of each link");
    field("jitter_ms", self.jitter_ms, "drawn for every message, added to the latency, in ms");
    field("bandwidth_bytes_per_s", self.bandwidth_bytes_per_s, "of each direction of each link; 125e6 is 1 Gbit/s");
    field("symmetric", self.symmetric,
          "latency and bandwidth of both directions of a link are those from its agent of lower number to the other");
    field("sharing", self.sharing, "none: every message travels alone, at the full bandwidth of its link");
    field("bytes_per_scalar", self.bytes_per_scalar, "size of a number on the wire, in bytes", at_least(1));
    field("header_bytes", self.header_bytes, "added to every message, in bytes", at_least(0));
  }
};

}  // namespace lagnet
