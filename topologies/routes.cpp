#include "topologies/routes.hpp"

#include <fmt/format.h>

#include <boost/graph/dijkstra_shortest_paths.hpp>

#include "topologies/graph.hpp"

namespace lagnet {

Matrix route_lengths(const Topology& underlay) {
  if (!underlay.connected())
    throw Diagnosed({Diagnostic{"", "a connected graph", fmt::format("{} components", underlay.components())}});
  Matrix lengths(underlay.agents(), underlay.agents());
  const auto weights = boost::get(&EdgeAttributes::weight, graph_of(underlay));
  const auto index = boost::get(boost::vertex_index, graph_of(underlay));
  for (AgentId from = 0; from < underlay.agents(); ++from)
    boost::dijkstra_shortest_paths(
        graph_of(underlay), from,
        boost::weight_map(weights).distance_map(boost::make_iterator_property_map(lengths.col(from).data(), index)));
  // Sums of the same weights in the other order differ in their last digits.
  return lengths.cwiseMin(lengths.transpose());
}

}  // namespace lagnet
