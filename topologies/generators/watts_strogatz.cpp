#include "topologies/generators/watts_strogatz.hpp"

#include <set>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

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

}  // namespace

Topology make_topology(const WattsStrogatzOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description = fmt::format("watts_strogatz with {} agents, degree {} and rewiring {}", options.agents,
                                       options.degree, options.rewiring);
  return draw_until_connected(options.agents, options.attempts, seed, description, "degree",
                              [&](Draws& draws) { return small_world(options, draws); });
}

}  // namespace lagnet
