#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// All agents have the same degree. A circulant graph is mixed by 100 attempted switches per edge: two random edges
/// (a,b), (c,d) become (a,d), (c,b) if the graph stays simple. The chain reaches every regular graph and its limit is
/// uniform over them (Cooper, Dyer, Greenhill, "Sampling regular graphs and a peer-to-peer network", 2007); 100 per
/// edge is the length that Milo et al., "On the uniform generation of random graphs with prescribed degree sequences"
/// (2003), found more than enough. Unlike the pairing model it succeeds for every degree.
struct RandomRegularOptions {
  static constexpr std::string_view kind = "random_regular";
  static constexpr std::string_view summary =
      "a random graph in which all agents have one degree; redrawn until connected";
  std::int64_t agents = 0;
  std::int64_t degree = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("degree", self.degree, "neighbors of each agent; agents times degree must be even", at_least(0).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  void check(auto& report) const {
    if (degree >= agents) report("degree", "below agents", degree);
    if (agents % 2 != 0 && degree % 2 != 0) report("degree", "even for an odd number of agents", degree);
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * degree}; }
};

Topology make_topology(const RandomRegularOptions& options, std::uint64_t seed);

}  // namespace lagnet
