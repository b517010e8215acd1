#include "topologies/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

constexpr std::int64_t agents_max = std::numeric_limits<AgentId>::max();

bool is_below(AgentId agent, std::int64_t agents) { return static_cast<std::int64_t>(agent) < agents; }

std::pair<AgentId, AgentId> ends(const Edge& edge) { return std::minmax(edge.from, edge.to); }

std::vector<Diagnostic> problems_of(std::int64_t agents, std::span<const Edge> edges,
                                    std::span<const Point> positions) {
  std::vector<Diagnostic> problems;
  if (agents < 1 || agents > agents_max) {
    problems.push_back({"agents", fmt::format("1 to {}", agents_max), fmt::format("{}", agents)});
    return problems;  // every edge would follow with the same complaint
  }
  for (const EdgeProblem& problem : edge_problems(agents, edges)) {
    const Edge& edge = edges[problem.edge];
    problems.push_back({fmt::format("edge {} ({},{})", problem.edge, edge.from, edge.to), "", problem.text});
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

}  // namespace

TopologyError::TopologyError(std::vector<Diagnostic> problems)
    : std::invalid_argument(sentences(problems)), diagnostics(std::move(problems)) {}

std::vector<EdgeProblem> edge_problems(std::int64_t agents, std::span<const Edge> edges) {
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
    if (usable) sound.emplace_back(std::min(from, to), std::max(from, to), k);
  }
  std::sort(sound.begin(), sound.end());
  for (std::size_t k = 1; k < sound.size(); ++k) {
    const auto& [from, to, edge] = sound[k];
    const auto& [from_before, to_before, edge_before] = sound[k - 1];
    if (from == from_before && to == to_before) problems.push_back({edge, "given twice"});
  }
  std::stable_sort(problems.begin(), problems.end(),
                   [](const EdgeProblem& a, const EdgeProblem& b) { return a.edge < b.edge; });
  return problems;
}

Topology::Topology(std::int64_t agents, std::vector<Edge> edges, std::vector<Point> positions, std::int64_t tries)
    : edges_(std::move(edges)), positions_(std::move(positions)), tries_(tries) {
  if (auto problems = problems_of(agents, edges_, positions_); !problems.empty()) {
    throw TopologyError(std::move(problems));
  }
  for (Edge& edge : edges_) std::tie(edge.from, edge.to) = ends(edge);
  std::sort(edges_.begin(), edges_.end(), [](const Edge& a, const Edge& b) { return ends(a) < ends(b); });

  const auto count = static_cast<std::size_t>(agents);
  index_neighbors(count);
  find_components();
}

Topology::Graph Topology::graph() const {
  Graph graph(static_cast<std::size_t>(agents()));
  for (const Edge& edge : edges_) boost::add_edge(edge.from, edge.to, edge.weight, graph);
  return graph;
}

void Topology::find_components() {
  constexpr AgentId none = std::numeric_limits<AgentId>::max();
  component_of_.assign(weighted_degrees_.size(), none);
  std::vector<AgentId> reached;
  for (AgentId start = 0; start < component_of_.size(); ++start) {
    if (component_of_[start] != none) continue;
    const auto component = static_cast<AgentId>(components_++);
    component_of_[start] = component;
    for (reached.assign(1, start); !reached.empty();) {
      const AgentId agent = reached.back();
      reached.pop_back();
      for (const AgentId next : neighbors(agent)) {
        if (component_of_[next] != none) continue;
        component_of_[next] = component;
        reached.push_back(next);
      }
    }
  }
}

void Topology::index_neighbors(std::size_t agents) {
  first_.assign(agents + 1, 0);
  for (const Edge& edge : edges_) {
    ++first_[edge.from + std::size_t{1}];
    ++first_[edge.to + std::size_t{1}];
  }
  for (std::size_t i = 0; i < agents; ++i) {
    max_degree_ = std::max(max_degree_, static_cast<std::int64_t>(first_[i + 1]));
    first_[i + 1] += first_[i];
  }
  // Edges ascend, so an agent meets its lower neighbors first, then its higher ones, each in order.
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  neighbors_.resize(first_.back());
  weights_.resize(first_.back());
  weighted_degrees_.assign(agents, 0.0);
  for (const Edge& edge : edges_) {
    for (const auto& [agent, neighbor] : {std::pair(edge.from, edge.to), std::pair(edge.to, edge.from)}) {
      neighbors_[next[agent]] = neighbor;
      weights_[next[agent]++] = edge.weight;
      weighted_degrees_[agent] += edge.weight;
    }
  }
}

std::span<const AgentId> Topology::neighbors(AgentId agent) const {
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  return std::span(neighbors_).subspan(first_[agent], first_[agent + std::size_t{1}] - first_[agent]);
}

std::span<const double> Topology::neighbor_weights(AgentId agent) const {
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  return std::span(weights_).subspan(first_[agent], first_[agent + std::size_t{1}] - first_[agent]);
}

std::int64_t Topology::degree(AgentId agent) const { return std::ssize(neighbors(agent)); }

double Topology::weighted_degree(AgentId agent) const {
  LAGNET_CHECK(is_below(agent, agents()), "agent {} of {}", agent, agents());
  return weighted_degrees_[agent];
}

}  // namespace lagnet
