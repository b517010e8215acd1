#pragma once

#include <cstdint>
#include <string_view>

#include "sim/types.hpp"

namespace lagnet {

/// A directed link's place in the Network, or none.
using LinkId = std::uint32_t;
constexpr LinkId no_link = ~LinkId{0};

enum class What : std::uint8_t {
  sent,        // agent -> peer, amount = bytes
  delivered,   // agent <- peer, amount = bytes
  late,        // agent discarded a message of peer that came after its round was closed, amount = 1
  superseded,  // agent discarded a message of peer for a newer one, amount = 1
  computed,    // agent starts a computation, amount = flops, duration = how long it takes
  waited,      // agent goes on after waiting for messages, duration = how long it waited
  slept,       // agent starts to sleep for a duration
  reported,    // agent hands over an iterate, amount = messages on the longest causal chain up to here
};
std::string_view name(What what);

/// One thing that happened. Whoever counts, traces or draws a run listens to these; the core does not know who listens.
struct Occurrence {
  Time at;
  What what = What::sent;
  AgentId agent = 0;
  AgentId peer = 0;  // the other end of a message, else the agent itself
  LinkId link = no_link;
  Round round = 0;
  std::int64_t amount = 0;
  Duration duration;
};

class Listener {
 public:
  virtual ~Listener() = default;
  virtual void occurred(const Occurrence& what) = 0;
};

}  // namespace lagnet
