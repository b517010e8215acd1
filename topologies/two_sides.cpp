#include "topologies/two_sides.hpp"

#include <boost/graph/bipartite.hpp>
#include <iterator>

#include "topologies/graph.hpp"

namespace lagnet {

TwoSides two_sides(const Topology& topology) {
  TwoSides sides;
  const auto& graph = graph_of(topology);
  const auto agents = static_cast<std::size_t>(topology.agents());
  std::vector<boost::default_color_type> colors(agents);
  const auto index = get(boost::vertex_index, graph);
  const auto color = boost::make_iterator_property_map(colors.begin(), index);
  boost::find_odd_cycle(graph, index, color, std::back_inserter(sides.odd_cycle));
  if (sides.odd_cycle.empty())
    for (const auto of_agent : colors) sides.first.push_back(of_agent == colors.front());
  return sides;
}

}  // namespace lagnet
