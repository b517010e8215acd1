#include "topologies/routes.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <limits>
#include <tuple>
#include <utility>

namespace lagnet {

namespace {

/// What routes are compared by, in this order: latency, number of arcs, nodes.
struct Way {
  Duration latency;
  std::size_t arcs = 0;
  std::vector<std::uint32_t> nodes;
  auto operator<=>(const Way&) const = default;
};

Way no_way() { return {Duration::longest(), std::numeric_limits<std::size_t>::max(), {}}; }

}  // namespace

std::vector<std::optional<std::vector<std::uint32_t>>> shortest_routes(std::uint32_t nodes,
                                                                       const std::vector<Arc>& arcs,
                                                                       std::uint32_t from) {
  using Nodes = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Arc>;
  Nodes graph(nodes);
  for (const Arc& arc : arcs) boost::add_edge(arc.from, arc.to, arc, graph);
  std::vector<Way> ways(nodes);
  const auto index = boost::get(boost::vertex_index, graph);
  const auto longer = [](const Way& way, const Arc& arc) {
    if (way == no_way()) return way;
    Way made = way;
    made.latency += arc.latency;
    ++made.arcs;
    made.nodes.push_back(arc.to);
    return made;
  };
  boost::dijkstra_shortest_paths(graph, from,
                                 boost::weight_map(boost::get(boost::edge_bundle, graph))
                                     .distance_map(boost::make_iterator_property_map(ways.begin(), index))
                                     .distance_combine(longer)
                                     .distance_compare(std::less<Way>())
                                     .distance_inf(no_way())
                                     .distance_zero(Way{{}, 0, {from}}));
  std::vector<std::optional<std::vector<std::uint32_t>>> routes(nodes);
  for (std::uint32_t node = 0; node < nodes; ++node)
    if (ways[node] != no_way()) routes[node] = std::move(ways[node].nodes);
  return routes;
}

}  // namespace lagnet
