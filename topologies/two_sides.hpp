#pragma once

#include <vector>

#include "topologies/topology.hpp"

namespace lagnet {

/// The sides of a bipartite topology: every edge goes from one to the other.
struct TwoSides {
  std::vector<bool> first;         // whether an agent is on agent 0's side, by agent; empty if not bipartite
  std::vector<AgentId> odd_cycle;  // where it is not: agents of a cycle of odd length, one after the other
};

/// Of a connected topology, whose sides are unique.
TwoSides two_sides(const Topology& topology);

}  // namespace lagnet
