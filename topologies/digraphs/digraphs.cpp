#include "topologies/digraphs/digraphs.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "topologies/generators/connected_draw.hpp"
#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

/// From each agent to the one that is this number of places ahead.
void append_arcs(std::vector<Edge>& arcs, std::int64_t agents, std::int64_t ahead) {
  for (std::int64_t i = 0; i < agents; ++i) arcs.push_back(edge_between(i, (i + ahead) % agents));
}

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

std::vector<Edge> drawn_arcs(const Topology& graph, double one_way, Draws& draws) {
  std::vector<Edge> arcs;
  for (const Edge& edge : graph.edges()) {
    const Edge back{edge.to, edge.from, edge.weight};
    const bool is_one_way = draws.uniform() < one_way;
    const bool is_upward = is_one_way && draws.uniform() < 0.5;  // from the lower agent to the higher one
    if (!is_one_way || is_upward) arcs.push_back(edge);
    if (!is_upward) arcs.push_back(back);
  }
  return arcs;
}

}  // namespace

Topology make_topology(const DirectedRingOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> arcs;
  if (options.agents > 1) append_arcs(arcs, options.agents, 1);
  return Topology::of_arcs(options.agents, std::move(arcs));
}

Topology make_topology(const DirectedExponentialOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> arcs;
  for (std::int64_t ahead = 1; ahead < options.agents; ahead *= 2) append_arcs(arcs, options.agents, ahead);
  return Topology::of_arcs(options.agents, std::move(arcs));
}

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

Topology oriented(const Topology& graph, const Orientation& how, std::uint64_t seed) {
  need_undirected(graph, "of");
  if (!graph.connected())
    throw Diagnosed({Diagnostic{"of", "a connected graph", fmt::format("{} components", graph.components())}});
  const auto positions = graph.positions();
  const auto description = fmt::format("{} agents and {} edges, of which each goes one way with probability {}",
                                       graph.agents(), graph.edges().size(), how.one_way);
  Topology drawn = draw_until_strongly_connected(graph.agents(), {positions.begin(), positions.end()}, how.tries, seed,
                                                 Purpose{"orientation"}, description, "lower one_way",
                                                 [&](Draws& draws) { return drawn_arcs(graph, how.one_way, draws); });
  return std::move(drawn).with_notes(GraphNotes(graph.notes()));
}

}  // namespace lagnet
