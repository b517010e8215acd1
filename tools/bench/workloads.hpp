#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "sim/engine/simulation.hpp"

namespace lagnet::bench {

/// Programs of agents that do next to nothing but send and receive vectors of one number, so that a run costs what the
/// engine costs.
struct Workload {
  std::string_view name;
  std::string_view summary;
  Network (*network)(AgentId agents);
  Task<> (*program)(Agent& me, Round rounds);
  std::int64_t (*messages_a_round)(AgentId agents);
};

/// ring_hops, ring_sums and star_rounds; each for two agents or more.
std::span<const Workload> workloads();

/// A world in which every agent has its program and has not begun.
std::unique_ptr<Simulation> make_world(const Workload& workload, AgentId agents, Round rounds);

}  // namespace lagnet::bench
