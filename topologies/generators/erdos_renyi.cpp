#include "topologies/generators/erdos_renyi.hpp"

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/options_check.hpp"

namespace lagnet {

Topology make_topology(const ErdosRenyiOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto description =
      fmt::format("erdos_renyi with {} agents and probability {}", options.agents, options.probability);
  return draw_until_connected(options.agents, options.attempts, seed, description, "probability", [&](Draws& draws) {
    DrawnGraph drawn;
    for (std::int64_t i = 0; i < options.agents; ++i) {
      for (std::int64_t j = i + 1; j < options.agents; ++j) {
        if (draws.bernoulli(options.probability)) drawn.edges.push_back(edge_between(i, j));
      }
    }
    return drawn;
  });
}

}  // namespace lagnet
