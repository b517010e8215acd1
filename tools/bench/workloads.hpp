#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "algorithms/interface/algorithm.hpp"
#include "sim/engine/simulation.hpp"

namespace lagnet::bench {

/// Programs of agents that almost only send and receive vectors of one number, so that a run costs what the engine
/// costs. Or a method without numbers, whose agents do all that it does but compute.
struct Workload {
  std::string_view name;
  std::string_view summary;
  Network (*network)(AgentId agents);
  Task<> (*program)(Agent& me, Round rounds);                                // null: a method
  std::unique_ptr<const Algorithm> (*method)(AgentId agents, Round rounds);  // or null
  std::int64_t (*messages_a_round)(AgentId agents);
  bool ends_with_server = false;  // while others go on, and messages are under way
};

/// ring_hops, ring_sums, star_rounds, star_answers, star_averages and star_gradients; each for two agents or more.
std::span<const Workload> workloads();

/// A world in which every agent has its program and has not begun.
struct BenchWorld {
  std::unique_ptr<const Algorithm> method;  // whose agents they are, which must outlive them; or null
  std::unique_ptr<Simulation> world;
};
BenchWorld make_world(const Workload& workload, AgentId agents, Round rounds);

}  // namespace lagnet::bench
