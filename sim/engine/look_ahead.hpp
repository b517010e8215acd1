#pragma once

#include <span>

#include "sim/agents/agent_pool.hpp"
#include "sim/base/sim_event.hpp"
#include "sim/engine/radix_queue.hpp"
#include "sim/transport/transport.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// Prefetches the memory that the next events of the queue will use, in worlds that do not fit into the cache. It
/// changes no result. Without it bench_engine takes 21 % more time for ring_hops with 100,000 agents, ledger and trace,
/// 62 % more without listeners, 77 % more with 1,000,000 agents, and 28 % more for star_rounds with 100,000; ring_sums
/// without listeners takes 6 % less. Without what it fetches for a Transport, a round of scenarios/examples/fleet.json
/// with 131,072 clients takes 60 % more time.
void look_ahead(std::span<const RadixQueue::Entry> next, AgentPool& agents, const Network& network,
                const Transport* transport, std::span<Listener* const> hear_deliveries);

}  // namespace lagnet
