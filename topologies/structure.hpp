#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/array.hpp"
#include "topologies/topology.hpp"

/// Where a graph breaks, where its middle is, which sides it has, and its shortest ways.
namespace lagnet {

/// The edges and agents on which the connection of others depends.
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

/// The best place for a server, or for an agent that all others hear.
struct Middle {
  AgentId agent = 0;        // with the least mean number of edges to the others, the lowest one of several
  double mean_hops = 0;     // to the others
  std::int64_t radius = 0;  // edges to the farthest
};
/// Nothing for a disconnected graph, and for more than `most_work`.
std::optional<Middle> middle(const Topology& topology);

/// The sides of a bipartite topology: every edge goes from one to the other.
struct TwoSides {
  std::vector<bool> first;         // whether an agent is on agent 0's side, by agent; empty if not bipartite
  std::vector<AgentId> odd_cycle;  // where it is not: agents of a cycle of odd length, one after the other
};

/// Of a tree of two levels, as two_level_tree makes: the agent that each hangs below, 0 for the root. The neighbors of
/// agent 0 are the edges 1 .. M, and every other agent has one of them as its only neighbor, each edge one at least.
/// Nothing for another topology.
std::optional<std::vector<AgentId>> two_level_parents(const Topology& topology);

/// Of a connected topology, whose sides are unique.
TwoSides two_sides(const Topology& topology);

/// Who cannot reach whom: "the digraph has 3 strongly connected components, agents [4], [7] cannot reach agent 0;
/// expected one component". Of many components and agents the first are listed. Empty for a strongly connected digraph.
std::string why_not_strongly_connected(const Topology& digraph);

/// The length of the shortest way between any two agents (m x m, symmetric), the sum of the weights of its edges: what
/// a message takes over an underlay whose weights are latencies and whose routers take shortest ways. By Dijkstra from
/// every agent, O(m edges log m). Throws Diagnosed for a disconnected graph.
Matrix route_lengths(const Topology& underlay);

}  // namespace lagnet
