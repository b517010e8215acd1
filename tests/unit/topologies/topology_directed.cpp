#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/gossip.hpp"
#include "topologies/graph.hpp"
#include "topologies/laplacian.hpp"
#include "topologies/layout.hpp"
#include "topologies/spectrum.hpp"
#include "topologies/structure.hpp"
#include "topologies/topology.hpp"

namespace lagnet::topology_directed_test {

namespace {

std::vector<AgentId> listed(std::span<const AgentId> agents) { return {agents.begin(), agents.end()}; }
std::vector<Edge> listed(std::span<const Edge> edges) { return {edges.begin(), edges.end()}; }

std::vector<Edge> drawn_arcs(Draws& draws, AgentId agents, double probability) {
  std::vector<Edge> arcs;
  for (AgentId from = 0; from < agents; ++from)
    for (AgentId to = 0; to < agents; ++to)
      if (from != to && draws.bernoulli(probability)) arcs.push_back({from, to});
  return arcs;
}

}  // namespace

TEST_CASE("a digraph lists its arcs and for each agent whom it sends to and whom it hears in ascending order") {
  const Topology topology = Topology::of_arcs(4, {{3, 0}, {0, 2, 0.5}, {2, 0, 4}, {0, 1}, {1, 3}, {2, 3}});
  CHECK(topology.is_directed());
  CHECK(listed(topology.edges()) ==
        std::vector<Edge>{{0, 1, 1}, {0, 2, 0.5}, {1, 3, 1}, {2, 0, 4}, {2, 3, 1}, {3, 0, 1}});
  CHECK(listed(topology.out(0)) == std::vector<AgentId>{1, 2});
  CHECK(listed(topology.in(0)) == std::vector<AgentId>{2, 3});
  CHECK(listed(topology.out(3)) == std::vector<AgentId>{0});
  CHECK(listed(topology.in(3)) == std::vector<AgentId>{1, 2});
  CHECK(topology.degree(2) == 2);
  CHECK(topology.weighted_degree(2) == 5);
  CHECK(topology.neighbor_edges(0)[1].weight == 0.5);
  CHECK(topology.connected());
  CHECK(boost::num_edges(graph_of(topology)) == 6);
}

TEST_CASE("a graph without directions is a digraph with both arcs of each edge") {
  const Topology topology(4, {{0, 1}, {1, 2}, {1, 3}});
  CHECK_FALSE(topology.is_directed());
  for (AgentId agent = 0; agent < 4; ++agent) {
    CHECK(listed(topology.out(agent)) == listed(topology.neighbors(agent)));
    CHECK(listed(topology.in(agent)) == listed(topology.neighbors(agent)));
  }
}

TEST_CASE("in random digraphs the in-neighbors of an agent are its senders") {
  Draws draws(5, Purpose{"digraphs"});
  for (int k = 0; k < 20; ++k) {
    const auto agents = static_cast<AgentId>(1 + draws.below(12));
    const Topology topology = Topology::of_arcs(agents, drawn_arcs(draws, agents, 0.3));
    for (AgentId from = 0; from < agents; ++from)
      for (AgentId to = 0; to < agents; ++to)
        CHECK(std::ranges::binary_search(topology.out(from), to) == std::ranges::binary_search(topology.in(to), from));
  }
}

TEST_CASE(
    "the components of a digraph are the strong ones that Boost.Graph finds and are numbered by their lowest agent") {
  Draws draws(2, Purpose{"digraphs"});
  std::int64_t most = 0;
  for (const double probability : {0.02, 0.05, 0.1, 0.3}) {
    const std::vector<Edge> arcs = drawn_arcs(draws, 25, probability);
    const Topology topology = Topology::of_arcs(25, arcs);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS> graph(25);
    for (const Edge& arc : arcs) boost::add_edge(arc.from, arc.to, graph);
    std::vector<int> component(25);
    const auto index = boost::get(boost::vertex_index, graph);
    const auto found = boost::make_iterator_property_map(component.begin(), index);
    CHECK(topology.components() == boost::strong_components(graph, found));
    AgentId known = 0;
    for (AgentId a = 0; a < 25; ++a) {
      known = std::max(known, topology.component_of()[a]);
      CHECK(topology.component_of()[a] <= known);
      for (AgentId b = 0; b < a; ++b)
        CHECK((topology.component_of()[a] == topology.component_of()[b]) == (component[a] == component[b]));
    }
    CHECK(known + 1 == topology.components());
    most = std::max(most, topology.components());
  }
  CHECK(most > 10);
}

TEST_CASE("every bad arc of a digraph is named, and opposite arcs are not bad") {
  CHECK(Topology::of_arcs(2, {{0, 1}, {1, 0}}).edges().size() == 2);
  CHECK(said([] {
          Topology::of_arcs(3, {{0, 1}, {1, 1}, {0, 1}, {2, 3}, {1, 0, -1}});
        }) ==
        "arc 1 (1,1): a self loop\n"
        "arc 2 (0,1): given twice\n"
        "arc 3 (2,3): endpoint 3 is not below 3 agents\n"
        "arc 4 (1,0): weight -1 is not finite and above 0");
}

TEST_CASE("ways of a digraph follow its arcs") {
  const Topology ring = Topology::of_arcs(4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  CHECK(hops_from(ring, 1) == std::vector<std::int64_t>{3, 0, 1, 2});
  CHECK(distances(ring).diameter == 3);
  CHECK(distances(ring).mean_path_length == 2);
  CHECK(degree_statistics(ring).mean == 1);
  CHECK(degree_statistics(ring).max == 1);
}

TEST_CASE("quantities of undirected graphs are refused for digraphs") {
  const Topology ring = Topology::of_arcs(3, {{0, 1}, {1, 2}, {2, 0}});
  const std::string refused = ": expected a graph without directions, found a directed one";
  CHECK(said([&] { laplacian(ring); }) == "the Laplacian" + refused);
  CHECK(said([&] { spectrum(ring); }) == "the Laplacian" + refused);
  CHECK(said([&] { gossip_matrix(ring); }) == "W" + refused);
  CHECK(said([&] { weak_places(ring); }) == "bridges" + refused);
}

TEST_CASE("a digraph lies where its links lie without directions") {
  const Topology ring(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}});
  CHECK(layout(Topology::of_arcs(6, {{1, 0}, {1, 2}, {2, 3}, {3, 2}, {4, 3}, {4, 5}, {5, 0}})) == layout(ring));
  CHECK(layout(Topology::of_arcs(2, {{0, 1}, {1, 0}}, {{0, 1}, {1, 0.5}})) == std::vector<Point>{{0, 1}, {1, 0.5}});
}

}  // namespace lagnet::topology_directed_test
