#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/diagnostic.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// An edge between two agents, or in a digraph an arc, over which `from` sends to `to`.
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
  bool is_repeated = false;  // the edge was given before
};

/// Whether the edges of a graph go both ways, or each from one agent to the other.
enum class EdgeDirection : bool { both, one_way };

/// All problems, ascending by edge: self loops, edges given twice (in either direction, unless they go one way),
/// endpoints that are no agents, and weights that are not finite and above 0.
std::vector<EdgeProblem> edge_problems(std::int64_t agents, std::span<const Edge> edges,
                                       EdgeDirection direction = EdgeDirection::both);

struct GraphNotes;
struct TopologyGraph;

/// The attributes of an edge in the graph.
struct EdgeAttributes {
  double weight = 1;
};

/// A simple graph over agents 0 .. m-1 with positive edge weights, or a digraph, whose edges are arcs; it may be
/// disconnected. It holds a graph of Boost.Graph, whose algorithms answer queries.
class Topology {
 public:
  /// `edges` in any order and direction. `positions` is empty or has one point per agent. `tries` says how many draws
  /// it took until a random graph was connected. Throws Diagnosed with every problem found.
  Topology(std::int64_t agents, std::vector<Edge> edges, std::vector<Point> positions = {}, std::int64_t tries = 1)
      : Topology(EdgeDirection::both, agents, std::move(edges), std::move(positions), tries) {}
  /// A digraph. Two arcs may join the same agents, one each way.
  static Topology of_arcs(std::int64_t agents, std::vector<Edge> arcs, std::vector<Point> positions = {},
                          std::int64_t tries = 1) {
    return {EdgeDirection::one_way, agents, std::move(arcs), std::move(positions), tries};
  }

  const TopologyGraph& graph() const { return *graph_; }
  std::int64_t agents() const { return agents_; }
  bool is_directed() const { return direction_ == EdgeDirection::one_way; }
  /// Each edge once, from < to, or each arc, ascending by (from, to).
  std::span<const Edge> edges() const { return edges_; }
  /// To whom an agent sends, and from whom it hears, ascending: both are its neighbors in a graph without directions.
  /// Here and below the agent must be below agents().
  std::span<const AgentId> out(AgentId agent) const { return neighbors(agent); }
  std::span<const AgentId> in(AgentId agent) const;
  bool sends(AgentId from, AgentId to) const { return std::ranges::binary_search(out(from), to); }
  /// In ascending order; in a digraph out(agent).
  std::span<const AgentId> neighbors(AgentId agent) const;
  /// The edge to each of neighbors(agent), in the same order.
  std::span<const EdgeAttributes> neighbor_edges(AgentId agent) const;

  std::int64_t degree(AgentId agent) const;     // number of neighbors; in a digraph of those it sends to
  double weighted_degree(AgentId agent) const;  // sum of the weights of the edges to them
  std::int64_t max_degree() const { return max_degree_; }

  /// Of a digraph: strongly connected, and strongly connected components, within which everybody reaches everybody.
  bool connected() const { return components_ == 1; }
  std::int64_t components() const { return components_; }
  /// The component of each agent (m); components are numbered from 0 by their lowest agent.
  std::span<const AgentId> component_of() const { return component_of_; }

  std::span<const Point> positions() const { return positions_; }  // empty unless the family places its agents
  std::int64_t tries() const { return tries_; }

  /// The attributes in its file; empty without a file.
  const GraphNotes& notes() const;
  /// With notes, and for pictures with the positions of the notes' places.
  Topology with_notes(GraphNotes notes) &&;
  /// The name of its node, or its number.
  std::string name_of(AgentId agent) const;

 private:
  Topology(EdgeDirection direction, std::int64_t agents, std::vector<Edge> edges, std::vector<Point> positions,
           std::int64_t tries);
  void weigh_agents();
  void list_senders();
  void find_components();
  void find_strong_components();

  EdgeDirection direction_;
  std::int64_t agents_;
  std::vector<Edge> edges_;
  std::shared_ptr<const TopologyGraph> graph_;
  std::vector<std::size_t> first_sender_;  // of each agent in senders_, and one more; empty unless it is a digraph
  std::vector<AgentId> senders_;
  std::vector<Point> positions_;
  std::int64_t tries_;
  std::shared_ptr<const GraphNotes> notes_;  // null: empty
  std::vector<double> weighted_degrees_;
  std::vector<AgentId> component_of_;
  std::int64_t max_degree_ = 0;
  std::int64_t components_ = 0;
};

/// Throws Diagnosed for a digraph: `what` is made of graphs without directions.
void need_undirected(const Topology& topology, const char* what);

}  // namespace lagnet
