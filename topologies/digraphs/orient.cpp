#include "topologies/digraphs/orient.hpp"

#include <fmt/format.h>

#include <vector>

#include "topologies/digraphs/strong_draw.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

namespace {

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
