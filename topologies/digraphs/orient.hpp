#pragma once

#include <cstdint>

#include "topologies/topology.hpp"

namespace lagnet {

/// How many links of a graph go one way.
struct Orientation {
  double one_way = 0.5;      // the probability of each edge to become a single arc
  std::int64_t tries = 100;  // draws before giving up on a strongly connected digraph
};

/// The digraph whose arcs go where edges of the graph are: of each edge both arcs, or with the probability `one_way`
/// one of them, in either direction alike. Two draws of an edge that goes one way, one of any other, ascending; redrawn
/// until strongly connected. Agents keep their places, edges their weights. Throws Diagnosed for a digraph, for a
/// disconnected graph, and where no draw is strongly connected: a bridge must go both ways.
Topology oriented(const Topology& graph, const Orientation& how, std::uint64_t seed);

}  // namespace lagnet
