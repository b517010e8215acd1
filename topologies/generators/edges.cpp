#include "topologies/generators/edges.hpp"

#include <fmt/ranges.h>

#include <utility>

#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

Topology make_topology(const EdgesOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (const auto& ends : options.edges) edges.push_back(edge_between(ends[0], ends[1]));
  return options.directed ? Topology::of_arcs(options.agents, std::move(edges))
                          : Topology(options.agents, std::move(edges));
}

EdgesOptions edges_options(const Topology& topology) {
  EdgesOptions options;
  options.agents = topology.agents();
  options.directed = topology.is_directed();
  for (const Edge& edge : topology.edges()) options.edges.push_back({edge.from, edge.to});
  return options;
}

}  // namespace lagnet
