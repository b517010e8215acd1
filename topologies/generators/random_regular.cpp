#include "topologies/generators/random_regular.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

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
  Switches(std::int64_t agents, std::int64_t degree, const std::vector<Edge>& edges)
      : degree_(static_cast<std::size_t>(degree)), adjacency_(static_cast<std::size_t>(agents * degree)) {
    std::vector<std::uint32_t> known(static_cast<std::size_t>(agents));
    for (const auto& [from, to, weight] : edges) {
      ends_.push_back({from, to});
      adjacency_[from * degree_ + known[from]++] = to;
      adjacency_[to * degree_ + known[to]++] = from;
    }
  }

  /// The edges to be switched do not depend on earlier switches, so that those of many attempts are drawn at once and
  /// on their way from memory, which a graph of millions of edges waits for.
  void attempt(std::size_t count, Draws& draws) {
    constexpr std::size_t together = 32;
    std::array<Attempt, together> ahead;
    for (; count > 0; count -= std::min(count, together)) {
      const auto these = std::span(ahead).first(std::min(count, together));
      for (Attempt& next : these) {
        next.first = draws.below(ends_.size());
        next.second = draws.below(ends_.size());
        next.turned = draws.bernoulli(0.5);
        __builtin_prefetch(&ends_[next.first]);
        __builtin_prefetch(&ends_[next.second]);
      }
      for (const Attempt& next : these)
        for (const std::uint64_t edge : {next.first, next.second})
          for (const AgentId agent : {ends_[edge].from, ends_[edge].to})
            __builtin_prefetch(&adjacency_[agent * degree_]);
      for (const Attempt& next : these) make(next);
    }
  }

  std::vector<Edge> edges() const {
    std::vector<Edge> edges;
    edges.reserve(ends_.size());
    for (const Ends& edge : ends_) edges.push_back({edge.from, edge.to});
    return edges;
  }

 private:
  struct Ends {
    AgentId from, to;
  };
  struct Attempt {
    std::uint64_t first = 0, second = 0;
    bool turned = false;
  };

  void make(const Attempt& attempt) {
    Ends& first = ends_[attempt.first];
    Ends& second = ends_[attempt.second];
    const AgentId a = first.from, b = first.to;
    const AgentId c = attempt.turned ? second.to : second.from, d = attempt.turned ? second.from : second.to;
    // Two edges that share an agent, or are one and the same, fail one of these conditions too.
    if (a == d || c == b || joined(a, d) || joined(c, b)) return;
    replace(a, b, d);
    replace(b, a, c);
    replace(c, d, b);
    replace(d, c, a);
    first = {a, d};
    second = {c, b};
  }

  std::span<AgentId> neighbors(AgentId agent) { return std::span(adjacency_).subspan(agent * degree_, degree_); }
  bool joined(AgentId a, AgentId b) { return std::ranges::find(neighbors(a), b) != neighbors(a).end(); }
  void replace(AgentId agent, AgentId old_neighbor, AgentId new_neighbor) {
    *std::ranges::find(neighbors(agent), old_neighbor) = new_neighbor;
  }

  std::size_t degree_;
  std::vector<Ends> ends_;
  std::vector<AgentId> adjacency_;  // degree of each agent, unordered
};

}  // namespace

Topology make_topology(const RandomRegularOptions& options, std::uint64_t seed) {
  constexpr std::size_t attempts_per_edge = 100;
  check_options(options);
  const auto description = fmt::format("random_regular with {} agents and degree {}", options.agents, options.degree);
  return draw_until_connected(options.agents, options.attempts, seed, description, "degree", [&](Draws& draws) {
    const std::vector<Edge> edges = circulant(options.agents, options.degree);
    Switches switches(options.agents, options.degree, edges);
    switches.attempt(edges.size() * attempts_per_edge, draws);
    return DrawnGraph{switches.edges(), {}};
  });
}

}  // namespace lagnet
