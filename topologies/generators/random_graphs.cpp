#include "topologies/generators/random_graphs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

/// One draw for each possible edge.
DrawnGraph drawn_one_by_one(std::int64_t agents, double probability, Draws& draws) {
  DrawnGraph drawn;
  for (std::int64_t i = 0; i < agents; ++i)
    for (std::int64_t j = i + 1; j < agents; ++j)
      if (draws.bernoulli(probability)) drawn.edges.push_back(edge_between(i, j));
  return drawn;
}

/// One draw for each edge that is there: how many possible ones come before it, which is geometric, the whole part of
/// an exponential.
DrawnGraph drawn_by_gaps(std::int64_t agents, double probability, Draws& draws) {
  DrawnGraph drawn;
  const double mean = -1 / std::log1p(-probability);  // of the exponential; 0 where all edges are there
  for (std::int64_t i = 0, j = 0; probability > 0;) {
    const double gap = draws.exponential() * mean;
    if (gap >= static_cast<double>(agents) * static_cast<double>(agents)) break;
    j += 1 + static_cast<std::int64_t>(gap);
    for (; j >= agents && i < agents - 1; ++i) j -= agents - i - 2;  // the row of i + 1 begins with i + 2
    if (i == agents - 1) break;
    drawn.edges.push_back(edge_between(i, j));
  }
  return drawn;
}

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

/// The unit square in equal cells, about as many as there are points, and no narrower than the radius, by a billionth
/// for rounding: whoever is near a point stands in its cell or in one of the eight around it.
class Cells {
 public:
  Cells(std::int64_t points, double radius)
      : side_(std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::min(std::sqrt(static_cast<double>(points)), 1 / (radius * (1 + 1e-9)))))),
        cells_(static_cast<std::size_t>(side_ * side_)) {}

  void add(const Point& point, std::int64_t number) { cells_[place(index(point.x), index(point.y))].push_back(number); }
  /// visit(number) for each point in the nine cells.
  template <class Visit>
  void around(const Point& point, Visit visit) const {
    const std::int64_t column = index(point.x), row = index(point.y);
    for (std::int64_t x = std::max<std::int64_t>(column - 1, 0); x <= std::min(column + 1, side_ - 1); ++x)
      for (std::int64_t y = std::max<std::int64_t>(row - 1, 0); y <= std::min(row + 1, side_ - 1); ++y)
        for (const std::int64_t number : cells_[place(x, y)]) visit(number);
  }

 private:
  std::int64_t index(double coordinate) const {
    return std::min(static_cast<std::int64_t>(coordinate * static_cast<double>(side_)), side_ - 1);
  }
  std::size_t place(std::int64_t column, std::int64_t row) const {
    return static_cast<std::size_t>(column * side_ + row);
  }

  std::int64_t side_;
  std::vector<std::vector<std::int64_t>> cells_;
};

DrawnGraph small_world(const WattsStrogatzOptions& options, Draws& draws) {
  const std::int64_t agents = options.agents;
  std::vector<std::set<std::int64_t>> neighbors(static_cast<std::size_t>(agents));
  const auto of = [&](std::int64_t agent) -> std::set<std::int64_t>& {
    return neighbors[static_cast<std::size_t>(agent)];
  };
  const auto join = [&](std::int64_t a, std::int64_t b) {
    of(a).insert(b);
    of(b).insert(a);
  };
  for (std::int64_t distance = 1; distance <= options.degree / 2; ++distance) {
    for (std::int64_t i = 0; i < agents; ++i) join(i, (i + distance) % agents);
  }
  for (std::int64_t distance = 1; distance <= options.degree / 2; ++distance) {
    for (std::int64_t i = 0; i < agents; ++i) {
      if (!draws.bernoulli(options.rewiring)) continue;
      if (std::ssize(of(i)) == agents - 1) continue;
      const std::int64_t old_end = (i + distance) % agents;
      std::int64_t new_end = i;
      while (new_end == i || of(i).contains(new_end)) {
        new_end = static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(agents)));
      }
      of(i).erase(old_end);
      of(old_end).erase(i);
      join(i, new_end);
    }
  }
  DrawnGraph drawn;
  for (std::int64_t i = 0; i < agents; ++i) {
    for (auto j = of(i).upper_bound(i); j != of(i).end(); ++j) drawn.edges.push_back(edge_between(i, *j));
  }
  return drawn;
}

std::vector<Edge> preferential_attachment(const BarabasiAlbertOptions& options, Draws& draws) {
  const std::int64_t brought = options.edges_per_agent;
  std::vector<Edge> edges;
  std::vector<AgentId> ends;  // each agent once per neighbor, so that a uniform draw is one in proportion to degree
  std::vector<AgentId> chosen;
  for (std::int64_t i = brought; i < options.agents; ++i) {
    chosen.clear();
    for (std::int64_t k = 0; k < brought; ++k) {
      AgentId other = static_cast<AgentId>(k);  // the first one to join meets agents of degree 0 and takes them all
      if (i > brought) {
        do {
          other = ends[draws.below(ends.size())];
        } while (std::find(chosen.begin(), chosen.end(), other) != chosen.end());
      }
      chosen.push_back(other);
    }
    for (const AgentId other : chosen) {
      edges.push_back(edge_between(other, i));
      ends.push_back(other);
      ends.push_back(static_cast<AgentId>(i));
    }
  }
  return edges;
}

}  // namespace

Topology make_topology(const ErdosRenyiOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description =
      fmt::format("erdos_renyi with {} agents and probability {}", options.agents, options.probability);
  return draw_until_connected(options.agents, options.attempts, seed, description, "probability", [&](Draws& draws) {
    return options.agents <= most_one_by_one ? drawn_one_by_one(options.agents, options.probability, draws)
                                             : drawn_by_gaps(options.agents, options.probability, draws);
  });
}

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

Topology make_topology(const RandomGeometricOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description = fmt::format("random_geometric with {} agents and radius {}", options.agents, options.radius);
  const double limit = options.radius * options.radius;
  return draw_until_connected(options.agents, options.attempts, seed, description, "radius", [&](Draws& draws) {
    DrawnGraph drawn;
    Cells cells(options.agents, options.radius);
    for (std::int64_t i = 0; i < options.agents; ++i) {
      const double x = draws.uniform();
      const double y = draws.uniform();
      cells.around({x, y}, [&](std::int64_t j) {
        const double dx = x - drawn.positions[static_cast<std::size_t>(j)].x;
        const double dy = y - drawn.positions[static_cast<std::size_t>(j)].y;
        if (dx * dx + dy * dy < limit) drawn.edges.push_back(edge_between(j, i));
      });
      drawn.positions.push_back({x, y});
      cells.add({x, y}, i);
    }
    return drawn;
  });
}

Topology make_topology(const WattsStrogatzOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description = fmt::format("watts_strogatz with {} agents, degree {} and rewiring {}", options.agents,
                                       options.degree, options.rewiring);
  return draw_until_connected(options.agents, options.attempts, seed, description, "degree",
                              [&](Draws& draws) { return small_world(options, draws); });
}

Topology make_topology(const BarabasiAlbertOptions& options, std::uint64_t seed) {
  check_options(options);
  Draws draws(seed, topology_purpose);
  return Topology(options.agents, preferential_attachment(options, draws));
}

}  // namespace lagnet
