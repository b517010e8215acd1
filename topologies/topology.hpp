#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// An impossible graph, or options that describe none: what() has one problem per line.
class TopologyError : public std::invalid_argument {
 public:
  explicit TopologyError(std::vector<Diagnostic> problems);

  std::vector<Diagnostic> diagnostics;
};

/// An undirected edge between two agents.
struct Edge {
  AgentId from = 0;
  AgentId to = 0;
  double weight = 1;  // finite and above 0
  bool operator==(const Edge&) const = default;
};

/// A place in the unit square.
struct Point {
  double x = 0;
  double y = 0;
  bool operator==(const Point&) const = default;
};

/// A problem of one edge of a list.
struct EdgeProblem {
  std::size_t edge = 0;  // its place in the list, from 0
  std::string text;
};

/// All problems, ascending by edge: self loops, edges given twice (in either direction), endpoints that are no agents,
/// and weights that are not finite and above 0.
std::vector<EdgeProblem> edge_problems(std::int64_t agents, std::span<const Edge> edges);

/// What an edge has in the graph.
struct EdgeAttributes {
  double weight = 1;
};

/// An undirected simple graph over agents 0 .. m-1 with positive edge weights; it may be disconnected. It is a graph of
/// Boost.Graph, whose algorithms answer what is asked of it.
class Topology {
 public:
  /// Each edge in both directions: Boost's compressed graphs are directed. Half the memory of an adjacency list, and
  /// its neighbors lie side by side.
  using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, EdgeAttributes,
                                                   boost::no_property, AgentId, std::size_t>;

  /// `edges` in any order and direction. `positions` is empty or has one point per agent. `tries` says how many draws
  /// it took until a random graph was connected. Throws TopologyError with every problem found.
  Topology(std::int64_t agents, std::vector<Edge> edges, std::vector<Point> positions = {}, std::int64_t tries = 1);

  const Graph& graph() const { return graph_; }
  std::int64_t agents() const { return static_cast<std::int64_t>(boost::num_vertices(graph_)); }
  /// Each edge once, from < to, ascending by (from, to).
  std::span<const Edge> edges() const { return edges_; }
  /// In ascending order. Here and below the agent must be below agents().
  std::span<const AgentId> neighbors(AgentId agent) const;
  /// The edge to each of neighbors(agent), in the same order.
  std::span<const EdgeAttributes> neighbor_edges(AgentId agent) const;

  std::int64_t degree(AgentId agent) const;     // number of neighbors
  double weighted_degree(AgentId agent) const;  // sum of the weights of the agent's edges
  std::int64_t max_degree() const { return max_degree_; }

  bool connected() const { return components_ == 1; }
  std::int64_t components() const { return components_; }
  /// The component of each agent (m); components are numbered from 0 by their lowest agent.
  std::span<const AgentId> component_of() const { return component_of_; }

  std::span<const Point> positions() const { return positions_; }  // empty unless the family places its agents
  std::int64_t tries() const { return tries_; }

 private:
  void weigh_agents();
  void find_components();

  std::vector<Edge> edges_;
  Graph graph_;
  std::vector<Point> positions_;
  std::int64_t tries_;
  std::vector<double> weighted_degrees_;
  std::vector<AgentId> component_of_;
  std::int64_t max_degree_ = 0;
  std::int64_t components_ = 0;
};

}  // namespace lagnet
