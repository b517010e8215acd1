#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "topologies/topology.hpp"

/// Where a graph breaks, and where its middle is.
namespace lagnet {

/// What the connection of some agents hangs on.
struct WeakPlaces {
  std::vector<Edge> bridges;                 // edges whose loss disconnects their ends, ascending
  std::vector<AgentId> articulation_points;  // agents whose loss disconnects others, ascending
};
/// By the biconnected components (R. Tarjan, "Depth-first search and linear graph algorithms", 1972); O(agents +
/// edges). Throws Diagnosed for a digraph.
WeakPlaces weak_places(const Topology& topology);

/// The share of the shortest paths between two other agents that pass through each agent (m), 0 to 1; of several
/// shortest paths each counts alike. Edges count one each, whatever their weights. U. Brandes, "A faster algorithm for
/// betweenness centrality", 2001; O(agents edges). Nothing for more than `most_work` of agents (agents + 2 edges).
inline constexpr std::int64_t most_work = 400'000'000;
std::optional<std::vector<double>> betweenness(const Topology& topology);

/// Where a server, or an agent that all others hear from, stands best.
struct Middle {
  AgentId agent = 0;        // with the least mean number of edges to the others, the lowest one of several
  double mean_hops = 0;     // to the others
  std::int64_t radius = 0;  // edges to the farthest
};
/// Nothing for a disconnected graph, and for more than `most_work`.
std::optional<Middle> middle(const Topology& topology);

}  // namespace lagnet
