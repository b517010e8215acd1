#pragma once

#include "sim/base/sim_event.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// Estimates the memory of a simulated world without the vectors of its algorithm, in bytes: agents that exchange or
/// collect, with their coroutines and accounts, and directed links with the messages on them, their places in two
/// inboxes, their accounts, and the copies of the network that a scenario and its results hold. Where messages share
/// links and interfaces, two of them on each link have a state of their own, in a list that grows by doubling.
constexpr Bytes world_memory(AgentId agents, LinkId links, bool shares) {
  constexpr Bytes each_agent = 2500, each_link = 360, each_shared_link = 700;
  return each_agent * agents + (each_link + (shares ? each_shared_link : 0)) * links;
}

}  // namespace lagnet
