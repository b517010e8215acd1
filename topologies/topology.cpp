#include "topologies/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/two_bit_color_map.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/pending/queue.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>
#include <utility>

#include "sim/base/errors.hpp"
#include "topologies/graph.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

constexpr std::int64_t agents_max = std::numeric_limits<AgentId>::max();

bool is_below(AgentId agent, std::int64_t agents) { return static_cast<std::int64_t>(agent) < agents; }

std::pair<AgentId, AgentId> ends(const Edge& edge) { return std::minmax(edge.from, edge.to); }

std::pair<AgentId, AgentId> ends(const Edge& edge, EdgeDirection direction) {
  return direction == EdgeDirection::both ? ends(edge) : std::pair(edge.from, edge.to);
}

std::vector<Diagnostic> problems_of(std::int64_t agents, std::span<const Edge> edges, std::span<const Point> positions,
                                    EdgeDirection direction) {
  std::vector<Diagnostic> problems;
  if (agents < 1 || agents > agents_max) {
    problems.push_back({"agents", fmt::format("1 to {}", agents_max), fmt::format("{}", agents)});
    return problems;  // every edge would follow with the same complaint
  }
  const char* const called = direction == EdgeDirection::both ? "edge" : "arc";
  for (const EdgeProblem& problem : edge_problems(agents, edges, direction)) {
    const Edge& edge = edges[problem.edge];
    problems.push_back({fmt::format("{} {} ({},{})", called, problem.edge, edge.from, edge.to), "", problem.text});
  }
  if (!positions.empty() && std::ssize(positions) != agents) {
    problems.push_back({"positions", fmt::format("none or {}", agents), fmt::format("{}", positions.size())});
  }
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto [x, y] = positions[i];
    const bool inside = x >= 0 && x <= 1 && y >= 0 && y <= 1;
    if (!inside)
      problems.push_back({fmt::format("position {}", i), "a point of the unit square", fmt::format("({}, {})", x, y)});
  }
  return problems;
}

/// Edges from < to, ascending, in both directions: the k-th leaves what it comes from if k is even. So an agent meets
/// its lower neighbors first, then its higher ones, each in order. Arcs as they are.
Graph made_graph(AgentId agents, const std::vector<Edge>& edges, EdgeDirection direction) {
  using Ends = std::pair<AgentId, AgentId>;
  const std::size_t ways = direction == EdgeDirection::both ? 2 : 1;
  const std::function<Ends(std::size_t)> ends_of = [&](std::size_t k) {
    const Edge& edge = edges[k / ways];
    return k % ways == 0 ? Ends(edge.from, edge.to) : Ends(edge.to, edge.from);
  };
  const std::function<EdgeAttributes(std::size_t)> attributes_of = [&](std::size_t k) {
    return EdgeAttributes{edges[k / ways].weight};
  };
  const boost::counting_iterator<std::size_t> first(0), last(ways * edges.size());
  return {boost::edges_are_unsorted_multi_pass, boost::make_transform_iterator(first, ends_of),
          boost::make_transform_iterator(last, ends_of), boost::make_transform_iterator(first, attributes_of), agents};
}

/// Gives every agent that a search discovers its component.
class ComponentRecorder : public boost::default_bfs_visitor {
 public:
  ComponentRecorder(std::vector<AgentId>& component_of, AgentId component)
      : component_of_(&component_of), component_(component) {}
  void discover_vertex(AgentId agent, const Graph&) { (*component_of_)[agent] = component_; }

 private:
  std::vector<AgentId>* component_of_;
  AgentId component_;
};

}  // namespace

std::vector<EdgeProblem> edge_problems(std::int64_t agents, std::span<const Edge> edges, EdgeDirection direction) {
  std::vector<EdgeProblem> problems;
  std::vector<std::tuple<AgentId, AgentId, std::size_t>> sound;  // ends in order, and the place in the list
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto [from, to, weight] = edges[k];
    bool usable = from != to;
    for (const AgentId end : {from, to}) {
      if (is_below(end, agents)) continue;
      problems.push_back({k, fmt::format("endpoint {} is not below {} agents", end, agents)});
      usable = false;
      if (from == to) break;
    }
    if (from == to) problems.push_back({k, "a self loop"});
    if (!(std::isfinite(weight) && weight > 0)) {
      problems.push_back({k, fmt::format("weight {} is not finite and above 0", weight)});
    }
    const auto [first, second] = ends(edges[k], direction);
    if (usable) sound.emplace_back(first, second, k);
  }
  std::sort(sound.begin(), sound.end());
  for (std::size_t k = 1; k < sound.size(); ++k) {
    const auto& [from, to, edge] = sound[k];
    const auto& [from_before, to_before, edge_before] = sound[k - 1];
    if (from == from_before && to == to_before)
      problems.push_back({.edge = edge, .text = "given twice", .is_repeated = true});
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const EdgeProblem& a, const EdgeProblem& b) { return a.edge < b.edge; });
  return problems;
}

Topology::Topology(EdgeDirection direction, std::int64_t agents, std::vector<Edge> edges, std::vector<Point> positions,
                   std::int64_t tries)
    : direction_(direction),
      agents_(agents),
      edges_(std::move(edges)),
      positions_(std::move(positions)),
      tries_(tries) {
  if (auto problems = problems_of(agents, edges_, positions_, direction); !problems.empty()) {
    throw Diagnosed(std::move(problems));
  }
  for (Edge& edge : edges_) std::tie(edge.from, edge.to) = ends(edge, direction);
  const auto is_before = [](const Edge& a, const Edge& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); };
  std::sort(edges_.begin(), edges_.end(), is_before);

  graph_ = std::make_shared<const TopologyGraph>(made_graph(static_cast<AgentId>(agents), edges_, direction));
  weigh_agents();
  if (is_directed()) {
    list_senders();
    find_strong_components();
  } else {
    find_components();
  }
}

void Topology::list_senders() {
  first_sender_.assign(static_cast<std::size_t>(agents_) + 1, 0);
  for (const Edge& arc : edges_) ++first_sender_[arc.to + 1];
  for (std::size_t agent = 1; agent < first_sender_.size(); ++agent) first_sender_[agent] += first_sender_[agent - 1];
  std::vector<std::size_t> next = first_sender_;
  senders_.resize(edges_.size());
  for (const Edge& arc : edges_) senders_[next[arc.to]++] = arc.from;  // they ascend
}

void Topology::find_strong_components() {
  constexpr AgentId unknown = std::numeric_limits<AgentId>::max();
  component_of_.assign(static_cast<std::size_t>(agents_), 0);
  const auto index = boost::get(boost::vertex_index, graph_of(*this));
  components_ =
      boost::strong_components(graph_of(*this), boost::make_iterator_property_map(component_of_.begin(), index));
  std::vector<AgentId> number(component_of_.size(), unknown);  // by Boost's own, which depend on its search
  AgentId known = 0;
  for (AgentId& component : component_of_) {
    if (number[component] == unknown) number[component] = known++;
    component = number[component];
  }
}

void Topology::find_components() {
  component_of_.assign(static_cast<std::size_t>(agents_), 0);
  auto colors = boost::make_two_bit_color_map(component_of_.size(), boost::get(boost::vertex_index, graph_of(*this)));
  boost::queue<AgentId> reached;
  for (AgentId start = 0; start < component_of_.size(); ++start) {
    if (boost::get(colors, start) != boost::two_bit_white) continue;
    ComponentRecorder recorder(component_of_, static_cast<AgentId>(components_++));
    boost::breadth_first_visit(graph_of(*this), start, reached, recorder, colors);
  }
}

void Topology::weigh_agents() {
  weighted_degrees_.assign(static_cast<std::size_t>(agents_), 0.0);
  for (AgentId agent = 0; agent < weighted_degrees_.size(); ++agent) {
    max_degree_ = std::max(max_degree_, degree(agent));
    for (const EdgeAttributes& edge : neighbor_edges(agent)) weighted_degrees_[agent] += edge.weight;
  }
}

std::span<const AgentId> Topology::neighbors(AgentId agent) const {
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  const auto [first, last] = boost::adjacent_vertices(agent, graph_of(*this));
  return {first, last};
}

std::span<const AgentId> Topology::in(AgentId agent) const {
  if (!is_directed()) return neighbors(agent);
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  return std::span(senders_).subspan(first_sender_[agent], first_sender_[agent + 1] - first_sender_[agent]);
}

std::span<const EdgeAttributes> Topology::neighbor_edges(AgentId agent) const {
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  const auto [first, last] = boost::out_edges(agent, graph_of(*this));
  // Bundled attributes lie in the order of the edges.
  return first == last ? std::span<const EdgeAttributes>()
                       : std::span(&graph_of(*this)[*first], boost::out_degree(agent, graph_of(*this)));
}

std::int64_t Topology::degree(AgentId agent) const { return std::ssize(neighbors(agent)); }

double Topology::weighted_degree(AgentId agent) const {
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  return weighted_degrees_[agent];
}

const GraphNotes& Topology::notes() const {
  static const GraphNotes empty;
  return notes_ ? *notes_ : empty;
}

Topology Topology::with_notes(GraphNotes notes) && {
  LAGNET_CHECK(notes.names.empty() || std::ssize(notes.names) == agents(), "{} names", notes.names.size());
  if (!notes.places.empty()) positions_ = map_positions(*this, notes.places);
  notes_ = std::make_shared<const GraphNotes>(std::move(notes));
  return std::move(*this);
}

std::string Topology::name_of(AgentId agent) const {
  const std::vector<std::string>& names = notes().names;
  return names.empty() ? fmt::format("{}", agent) : names[agent];
}

void need_undirected(const Topology& topology, const char* what) {
  if (topology.is_directed()) throw Diagnosed({Diagnostic{what, "a graph without directions", "a directed one"}});
}

}  // namespace lagnet
