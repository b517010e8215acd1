#include "topologies/structure.hpp"

#include <algorithm>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <limits>
#include <map>
#include <numeric>

#include "topologies/graph.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet {

namespace {

bool is_too_much(const Topology& topology) {
  return topology.agents() + 2 * std::ssize(topology.edges()) > most_work / topology.agents();
}

}  // namespace

WeakPlaces weak_places(const Topology& topology) {
  need_undirected(topology, "bridges");
  const Graph& graph = graph_of(topology);
  // Of the two directions of an edge, the search meets one.
  constexpr std::size_t not_met = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> component_of(boost::num_edges(graph), not_met);
  WeakPlaces places;
  const auto edge_index = boost::get(boost::edge_index, graph);
  boost::biconnected_components(graph, boost::make_iterator_property_map(component_of.begin(), edge_index),
                                std::back_inserter(places.articulation_points));
  std::ranges::sort(places.articulation_points);
  std::map<std::size_t, std::size_t> edges_in;
  for (const std::size_t component : component_of)
    if (component != not_met) ++edges_in[component];
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::size_t component = component_of[get(edge_index, edge)];
    if (component == not_met || edges_in[component] > 1) continue;
    const auto [from, to] = std::minmax({boost::source(edge, graph), boost::target(edge, graph)});
    places.bridges.push_back({from, to, graph[edge].weight});
  }
  std::ranges::sort(places.bridges, {}, [](const Edge& edge) { return std::pair(edge.from, edge.to); });
  return places;
}

std::optional<std::vector<double>> betweenness(const Topology& topology) {
  if (is_too_much(topology)) return std::nullopt;
  std::vector<double> share(static_cast<std::size_t>(topology.agents()));
  const auto index = boost::get(boost::vertex_index, graph_of(topology));
  boost::brandes_betweenness_centrality(graph_of(topology), boost::make_iterator_property_map(share.begin(), index));
  // A directed graph counts each pair twice.
  const double others = static_cast<double>(topology.agents() - 1), pairs = others * (others - 1);
  for (double& one : share) one = pairs > 0 ? one / pairs : 0;
  return share;
}

std::optional<Middle> middle(const Topology& topology) {
  if (!topology.connected() || is_too_much(topology)) return std::nullopt;
  Middle best;
  if (topology.agents() == 1) return best;
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (AgentId agent = 0; agent < topology.agents(); ++agent) {
    const std::vector<std::int64_t> hops = hops_from(topology, agent);
    const std::int64_t sum = std::accumulate(hops.begin(), hops.end(), std::int64_t{0});
    if (sum >= least) continue;
    least = sum;
    best = {agent, static_cast<double>(sum) / static_cast<double>(topology.agents() - 1), std::ranges::max(hops)};
  }
  return best;
}

}  // namespace lagnet
