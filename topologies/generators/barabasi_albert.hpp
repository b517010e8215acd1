#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Preferential attachment of Barabasi, Albert, "Emergence of scaling in random networks" (1999): each new agent is
/// joined to k different earlier agents, drawn with probabilities proportional to their degrees. The start is a star of
/// agents 0 .. k around agent k. Always connected, so there is nothing to redraw; k (m - k) edges.
struct BarabasiAlbertOptions {
  static constexpr std::string_view kind = "barabasi_albert";
  static constexpr std::string_view summary = "agents join one by one and prefer neighbors of high degree";
  std::int64_t agents = 0;
  std::int64_t edges_per_agent = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("edges_per_agent", self.edges_per_agent, "edges that each new agent brings", at_least(1).required());
  }
  void check(auto& report) const {
    if (agents > 1 && edges_per_agent >= agents) report("edges_per_agent", "below agents", edges_per_agent);
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * agents * edges_per_agent}; }
};

Topology make_topology(const BarabasiAlbertOptions& options, std::uint64_t seed);

}  // namespace lagnet
