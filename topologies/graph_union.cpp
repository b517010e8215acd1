#include "topologies/graph_union.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace lagnet {

GraphUnion::GraphUnion(const Topology& first)
    : agents_(first.agents()), positions_(first.positions().begin(), first.positions().end()), tries_(first.tries()) {
  for (const Edge& edge : first.edges()) weights_.emplace(Ends{edge.from, edge.to}, edge.weight);
  notes_.places = first.notes().places;
  std::vector<Diagnostic> none;
  add_notes(first.notes(), none);
}

void GraphUnion::add_notes(const GraphNotes& notes, std::vector<Diagnostic>& problems) {
  if (notes_.names.empty()) notes_.names = notes.names;
  for (std::size_t k = 0; k < notes.names.size(); ++k)
    if (notes.names[k] != notes_.names[k])
      problems.push_back({"", fmt::format("{} as node {}, as before", notes_.names[k], k), notes.names[k]});
  for (const LinkNote& link : notes.links)
    if (const auto [known, is_new] = links_.emplace(Ends{link.from, link.to}, link); !is_new && known->second != link)
      problems.push_back(
          {"", fmt::format("the latency and bandwidth of link ({},{}) as before", link.from, link.to), "others"});
  notes_.interfaces.insert(notes_.interfaces.end(), notes.interfaces.begin(), notes.interfaces.end());
  notes_.has_weights = notes_.has_weights || notes.has_weights;
  for (const Remark& remark : notes.remarks)
    if (std::ranges::find(notes_.remarks, remark) == notes_.remarks.end()) notes_.remarks.push_back(remark);
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
  add_notes(graph.notes(), problems);
  return problems;
}

Topology GraphUnion::topology() const {
  std::vector<Edge> edges;
  for (const auto& [ends, weight] : weights_) edges.push_back({ends.first, ends.second, weight});
  GraphNotes notes = notes_;
  for (const auto& [ends, link] : links_) notes.links.push_back(link);
  return Topology(agents_, std::move(edges), positions_, tries_).with_notes(std::move(notes));
}

}  // namespace lagnet
