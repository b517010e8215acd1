#include "topologies/generators/erdos_renyi.hpp"

#include <cmath>

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

}  // namespace lagnet
