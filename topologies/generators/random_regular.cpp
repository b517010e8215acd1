#include "topologies/generators/random_regular.hpp"

#include <algorithm>
#include <utility>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/options_check.hpp"

namespace lagnet {

namespace {

/// Neighbors at the distances 1 .. degree/2 on a circle, and the agent opposite if the degree is odd.
std::vector<Edge> circulant(std::int64_t agents, std::int64_t degree) {
  std::vector<Edge> edges;
  for (std::int64_t i = 0; i < agents; ++i) {
    for (std::int64_t distance = 1; distance <= degree / 2; ++distance) {
      edges.push_back(edge_between(i, (i + distance) % agents));
    }
    if (degree % 2 != 0 && i < agents / 2) edges.push_back(edge_between(i, i + agents / 2));
  }
  return edges;
}

class Switches {
 public:
  Switches(std::int64_t agents, std::vector<Edge> edges)
      : edges_(std::move(edges)), adjacency_(static_cast<std::size_t>(agents)) {
    for (const auto& [from, to, weight] : edges_) {
      adjacency_[from].push_back(to);
      adjacency_[to].push_back(from);
    }
  }

  void attempt(Draws& draws) {
    Edge& first = edges_[draws.below(edges_.size())];
    Edge& second = edges_[draws.below(edges_.size())];
    const bool turned = draws.bernoulli(0.5);
    const AgentId a = first.from, b = first.to;
    const AgentId c = turned ? second.to : second.from, d = turned ? second.from : second.to;
    // Two edges that share an agent, or are one and the same, fail one of these conditions too.
    if (a == d || c == b || joined(a, d) || joined(c, b)) return;
    replace(a, b, d);
    replace(b, a, c);
    replace(c, d, b);
    replace(d, c, a);
    first = {a, d};
    second = {c, b};
  }

  std::vector<Edge> take_edges() { return std::move(edges_); }

 private:
  bool joined(AgentId a, AgentId b) const {
    const auto& neighbors = adjacency_[a];
    return std::find(neighbors.begin(), neighbors.end(), b) != neighbors.end();
  }
  void replace(AgentId agent, AgentId old_neighbor, AgentId new_neighbor) {
    auto& neighbors = adjacency_[agent];
    *std::find(neighbors.begin(), neighbors.end(), old_neighbor) = new_neighbor;
  }

  std::vector<Edge> edges_;
  std::vector<std::vector<AgentId>> adjacency_;  // unordered
};

}  // namespace

Topology make_topology(const RandomRegularOptions& options, std::uint64_t seed) {
  constexpr std::size_t attempts_per_edge = 100;
  check_options(options);
  const auto description = fmt::format("random_regular with {} agents and degree {}", options.agents, options.degree);
  return draw_until_connected(options.agents, options.attempts, seed, description, "degree", [&](Draws& draws) {
    std::vector<Edge> edges = circulant(options.agents, options.degree);
    const std::size_t attempts = edges.size() * attempts_per_edge;
    Switches switches(options.agents, std::move(edges));
    for (std::size_t k = 0; k < attempts; ++k) switches.attempt(draws);
    return DrawnGraph{switches.take_edges(), {}};
  });
}

}  // namespace lagnet
