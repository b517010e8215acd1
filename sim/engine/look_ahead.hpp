#pragma once

#include <span>

#include "sim/agents/agent_pool.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/engine/radix_queue.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// Fetches from memory what the next events of the queue will use, in worlds that do not fit into the cache. It changes
/// no result.
void look_ahead(std::span<const RadixQueue::Entry> next, AgentPool& agents, const Network& network,
                std::span<Listener* const> hear_deliveries);

}  // namespace lagnet
