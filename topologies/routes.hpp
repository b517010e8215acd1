#pragma once

#include "sim/base/array.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// The length of the shortest way between any two agents (m x m, symmetric), the sum of the weights of its edges: what
/// a message takes over an underlay whose weights are latencies and whose routers take shortest ways. By Dijkstra from
/// every agent, O(m edges log m). Throws Diagnosed for a disconnected graph.
Matrix route_lengths(const Topology& underlay);

}  // namespace lagnet
