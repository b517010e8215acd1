#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

/// Digraphs that look the same from every agent. Push and pull weights are the same on them, and doubly stochastic.
namespace lagnet {

struct DirectedRingOptions {
  static constexpr std::string_view kind = "directed_ring";
  static constexpr std::string_view summary = "agents in a circle, each sends to the next; links go one way";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * agents}; }
};

/// The static exponential graph of Ying, Yuan, Chen, Hu, Pan, Yin, "Exponential graph is provably efficient for
/// decentralized deep training" (2021).
struct DirectedExponentialOptions {
  static constexpr std::string_view kind = "directed_exponential";
  static constexpr std::string_view summary =
      "agents in a circle, each sends to those 1, 2, 4, 8, ... places ahead; links go one way";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, agents * std::ceil(std::log2(1.0 * agents))}; }
};

Topology make_topology(const DirectedRingOptions& options, std::uint64_t seed);
Topology make_topology(const DirectedExponentialOptions& options, std::uint64_t seed);

}  // namespace lagnet
