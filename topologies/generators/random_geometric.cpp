#include "topologies/generators/random_geometric.hpp"

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/options_check.hpp"

namespace lagnet {

Topology make_topology(const RandomGeometricOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description = fmt::format("random_geometric with {} agents and radius {}", options.agents, options.radius);
  const double limit = options.radius * options.radius;
  return draw_until_connected(options.agents, options.attempts, seed, description, "radius", [&](Draws& draws) {
    DrawnGraph drawn;
    for (std::int64_t i = 0; i < options.agents; ++i) {
      const double x = draws.uniform();
      const double y = draws.uniform();
      for (std::int64_t j = 0; j < i; ++j) {
        const double dx = x - drawn.positions[static_cast<std::size_t>(j)].x;
        const double dy = y - drawn.positions[static_cast<std::size_t>(j)].y;
        if (dx * dx + dy * dy < limit) drawn.edges.push_back(edge_between(j, i));
      }
      drawn.positions.push_back({x, y});
    }
    return drawn;
  });
}

}  // namespace lagnet
