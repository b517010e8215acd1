#include "topologies/generators/edges.hpp"

#include <fmt/ranges.h>

#include <utility>

#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/graph_notes.hpp"

namespace lagnet {

Topology make_topology(const EdgesOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (const auto& ends : options.edges) edges.push_back(edge_between(ends[0], ends[1]));
  Topology made = options.directed ? Topology::of_arcs(options.agents, std::move(edges))
                                   : Topology(options.agents, std::move(edges));
  GraphNotes notes;
  if (options.names) notes.names = *options.names;
  return std::move(made).with_notes(std::move(notes));
}

EdgesOptions edges_options(const Topology& topology) {
  EdgesOptions options;
  options.agents = topology.agents();
  options.directed = topology.is_directed();
  if (const auto& names = topology.notes().names; !names.empty()) options.names = names;
  for (const Edge& edge : topology.edges()) options.edges.push_back({edge.from, edge.to});
  return options;
}

}  // namespace lagnet
