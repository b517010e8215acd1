#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/array.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// L = D - A (m x m): weighted degrees on the diagonal, minus the weight for each edge. Symmetric, its rows sum to 0.
/// Throws Diagnosed for a digraph.
SparseMatrix laplacian(const Topology& topology);
Matrix dense_laplacian(const Topology& topology);

/// Of a digraph: of those whom an agent sends to.
struct DegreeStatistics {
  std::int64_t min = 0;
  double mean = 0;
  std::int64_t max = 0;
};
DegreeStatistics degree_statistics(const Topology& topology);

/// The number of edges on a shortest way from an agent to each one (m), by breadth-first search; ways follow arcs.
std::vector<std::int64_t> hops_from(const Topology& topology, AgentId source);
inline constexpr std::int64_t unreachable = -1;  // where there is no way

/// Distances count edges, whatever their weights.
struct Distances {
  std::int64_t diameter = 0;
  double mean_path_length = 0;  // over ordered pairs of different agents; 0 for one agent
  bool exact = true;            // false: from some agents only, and the diameter is a lower bound
};

/// By breadth-first search from every agent while agents (agents + 2 edges) is at most 4e8 (a few seconds; 9,000 agents
/// of degree 4), else from 64 agents evenly spaced by number and from the farthest agent of each. Throws Diagnosed
/// for a disconnected graph.
Distances distances(const Topology& topology);

}  // namespace lagnet
