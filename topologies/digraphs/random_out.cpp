#include "topologies/digraphs/random_out.hpp"

#include <utility>
#include <vector>

#include "topologies/digraphs/strong_draw.hpp"
#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

namespace {

/// So many of 0 .. count-1 without repetition. Of few among many, each that is known is drawn again: `drawn_for` tells
/// for whom each was drawn last.
std::vector<std::uint32_t> drawn_out_of(std::uint32_t count, std::uint32_t picked, Draws& draws, std::int64_t whom,
                                        std::vector<std::int64_t>& drawn_for) {
  if (picked > count / 2) return draws.distinct(count, picked);
  std::vector<std::uint32_t> all;
  while (all.size() < picked) {
    const auto one = static_cast<std::uint32_t>(draws.below(count));
    if (std::exchange(drawn_for[one], whom) != whom) all.push_back(one);
  }
  return all;
}

}  // namespace

Topology make_topology(const RandomOutOptions& options, std::uint64_t seed) {
  check_options(options);
  const auto others = static_cast<std::uint32_t>(options.agents - 1),
             degree = static_cast<std::uint32_t>(options.degree);
  const auto draw = [&](Draws& draws) {
    std::vector<Edge> arcs;
    std::vector<std::int64_t> drawn_for(others, -1);
    for (std::int64_t from = 0; from < options.agents; ++from)
      for (const std::uint32_t other : drawn_out_of(others, degree, draws, from, drawn_for))
        arcs.push_back(edge_between(from, other < from ? other : other + std::int64_t{1}));
    return arcs;
  };
  const auto description = fmt::format("random_out with {} agents and degree {}", options.agents, options.degree);
  return draw_until_strongly_connected(options.agents, {}, options.tries, seed, topology_purpose, description,
                                       "raise degree", draw);
}

}  // namespace lagnet
