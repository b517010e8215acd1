#include "topologies/graph_union.hpp"

#include <fmt/format.h>

namespace lagnet {

GraphUnion::GraphUnion(const Topology& first)
    : agents_(first.agents()), positions_(first.positions().begin(), first.positions().end()), tries_(first.tries()) {
  for (const Edge& edge : first.edges()) weights_.emplace(Ends{edge.from, edge.to}, edge.weight);
}

std::vector<Diagnostic> GraphUnion::add(const Topology& graph) {
  if (graph.is_directed()) return {{"", "a graph whose links go both ways", "a directed one"}};
  if (graph.agents() != agents_)
    return {{"", fmt::format("{} agents, as many as the topology has", agents_), fmt::format("{}", graph.agents())}};
  std::vector<Diagnostic> problems;
  for (const Edge& edge : graph.edges()) {
    const auto [known, is_new] = weights_.emplace(Ends{edge.from, edge.to}, edge.weight);
    if (!is_new && known->second != edge.weight)
      problems.push_back({"", fmt::format("weight {} for edge ({},{}), as before", known->second, edge.from, edge.to),
                          fmt::format("{}", edge.weight)});
  }
  return problems;
}

Topology GraphUnion::topology() const {
  std::vector<Edge> edges;
  for (const auto& [ends, weight] : weights_) edges.push_back({ends.first, ends.second, weight});
  return Topology(agents_, std::move(edges), positions_, tries_);
}

}  // namespace lagnet
