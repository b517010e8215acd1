#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// The small worlds of Watts, Strogatz, "Collective dynamics of small-world networks" (1998): a ring where each agent
/// has `degree` nearest neighbors; lap by lap over the distances, each edge (i, i+distance) moves with probability
/// `rewiring` to (i, w), w uniform over the agents that are not yet neighbors of i. An agent joined to all others keeps
/// its edge.
struct WattsStrogatzOptions {
  static constexpr std::string_view kind = "watts_strogatz";
  static constexpr std::string_view summary = "a ring of near neighbors with some edges moved; redrawn until connected";
  std::int64_t agents = 0;
  std::int64_t degree = 0;
  double rewiring = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("degree", self.degree, "neighbors of each agent before rewiring, an even number", at_least(0).required());
    field("rewiring", self.rewiring, "probability that an edge is moved", within(0, 1).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  void check(auto& report) const {
    if (degree >= agents) report("degree", "below agents", degree);
    if (degree % 2 != 0) report("degree", "even", degree);
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * degree}; }
};

Topology make_topology(const WattsStrogatzOptions& options, std::uint64_t seed);

}  // namespace lagnet
