#include "topologies/structure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/graph/betweenness_centrality.hpp>
#include <boost/graph/biconnected_components.hpp>
#include <boost/graph/bipartite.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <span>
#include <vector>

#include "topologies/graph.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet {

namespace {

bool is_too_much(const Topology& topology) {
  return topology.agents() + 2 * std::ssize(topology.edges()) > most_work / topology.agents();
}

constexpr std::size_t listed_at_most = 8;  // components, and agents of each

/// Whether there is a way between agent 0 and each other one: from it over out(), to it over in().
std::vector<bool> found_from_0(const Topology& digraph, std::span<const AgentId> (Topology::*next)(AgentId) const) {
  std::vector<bool> found(static_cast<std::size_t>(digraph.agents()));
  found[0] = true;
  std::vector<AgentId> to_be_left{0};
  while (!to_be_left.empty()) {
    const AgentId here = to_be_left.back();
    to_be_left.pop_back();
    for (const AgentId there : (digraph.*next)(here)) {
      if (found[there]) continue;
      found[there] = true;
      to_be_left.push_back(there);
    }
  }
  return found;
}

/// "agents [4], [7, 8]": the components that were not found.
std::string those_not_found(const Topology& digraph, const std::vector<bool>& found) {
  std::vector<std::vector<AgentId>> members(static_cast<std::size_t>(digraph.components()));
  for (AgentId agent = 0; agent < found.size(); ++agent)
    if (!found[agent]) members[digraph.component_of()[agent]].push_back(agent);
  std::erase_if(members, [](const auto& component) { return component.empty(); });
  std::string text;
  for (std::size_t k = 0; k < std::min(members.size(), listed_at_most); ++k) {
    const std::vector<AgentId>& all = members[k];
    const std::vector<AgentId> first(all.begin(),
                                     all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), listed_at_most)));
    const std::string more = all.size() > first.size() ? fmt::format(" and {} more", all.size() - first.size()) : "";
    text += fmt::format("{}[{}{}]", k > 0 ? ", " : "", fmt::join(first, ", "), more);
  }
  if (members.size() > listed_at_most) text += fmt::format(" and {} more components", members.size() - listed_at_most);
  return text.empty() ? "" : "agents " + text;
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

std::optional<std::vector<AgentId>> two_level_parents(const Topology& topology) {
  const auto edges = static_cast<AgentId>(topology.neighbors(0).size());
  std::vector<AgentId> parents(static_cast<std::size_t>(topology.agents()), 0);
  std::vector<bool> has_client(1 + edges, false);
  for (AgentId a = 1; a < topology.agents(); ++a) {
    const auto neighbors = topology.neighbors(a);
    if (neighbors.empty()) return std::nullopt;
    const AgentId above = neighbors.front();
    if ((a <= edges) != (above == 0) || above > edges) return std::nullopt;
    if (a > edges && neighbors.size() != 1) return std::nullopt;
    parents[a] = above;
    has_client[above] = true;
  }
  for (AgentId l = 1; l <= edges; ++l) {
    const auto neighbors = topology.neighbors(l);
    if (!has_client[l] || (neighbors.size() > 1 && neighbors[1] <= edges)) return std::nullopt;
  }
  return edges > 0 ? std::optional(std::move(parents)) : std::nullopt;
}

std::string why_not_strongly_connected(const Topology& digraph) {
  if (digraph.connected()) return "";
  const std::string cannot_reach = those_not_found(digraph, found_from_0(digraph, &Topology::in));
  const std::string not_reached = those_not_found(digraph, found_from_0(digraph, &Topology::out));
  std::string text = fmt::format("the digraph has {} strongly connected components", digraph.components());
  if (!cannot_reach.empty()) text += fmt::format(", {} cannot reach agent 0", cannot_reach);
  if (!not_reached.empty()) text += fmt::format(", agent 0 cannot reach {}", not_reached);
  return text + "; expected one component";
}

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
