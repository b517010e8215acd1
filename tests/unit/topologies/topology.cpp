#include "topologies/topology.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/connected_components.hpp>
#include <catch2/catch.hpp>
#include <limits>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/simple_edges.hpp"
#include "topologies/graph.hpp"

namespace lagnet::topology_test {

namespace {
std::vector<AgentId> listed(std::span<const AgentId> agents) { return {agents.begin(), agents.end()}; }
}  // namespace

TEST_CASE("a topology lists its edges and neighbors in ascending order, whatever the order it was given") {
  const Topology topology(5, {{4, 2, 0.5}, {3, 0}, {2, 0, 2}, {1, 2, 4}});
  const std::vector<Edge> edges(topology.edges().begin(), topology.edges().end());
  CHECK(edges == std::vector<Edge>{{0, 2, 2}, {0, 3, 1}, {1, 2, 4}, {2, 4, 0.5}});
  CHECK(listed(topology.neighbors(0)) == std::vector<AgentId>{2, 3});
  CHECK(listed(topology.neighbors(2)) == std::vector<AgentId>{0, 1, 4});
  std::vector<double> weights;
  for (const EdgeAttributes& edge : topology.neighbor_edges(2)) weights.push_back(edge.weight);
  CHECK(weights == std::vector<double>{2, 4, 0.5});
  CHECK(topology.degree(2) == 3);
  CHECK(topology.weighted_degree(2) == 6.5);
  CHECK(topology.weighted_degree(3) == 1);
  CHECK(topology.max_degree() == 3);
  CHECK(boost::num_vertices(graph_of(topology)) == 5);
  CHECK(boost::num_edges(graph_of(topology)) == 8);  // in both directions
}

TEST_CASE("one agent without edges is a connected topology") {
  const Topology topology(1, {});
  CHECK(topology.agents() == 1);
  CHECK(topology.connected());
  CHECK(topology.neighbors(0).empty());
  CHECK(topology.max_degree() == 0);
  CHECK(topology.tries() == 1);
}

TEST_CASE("components are numbered by their lowest agent") {
  const Topology topology(6, {{5, 0}, {1, 4}, {4, 3}});
  CHECK_FALSE(topology.connected());
  CHECK(topology.components() == 3);
  CHECK(listed(topology.component_of()) == std::vector<AgentId>{0, 1, 2, 1, 1, 0});
}

TEST_CASE("every bad edge of a list is named with its place and its reason") {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Edge> edges = {{0, 1}, {1, 2, 0}, {2, 3, infinity}, {2, 2}, {0, 9}, {1, 0}, {7, 6, -1}, {8, 8}};
  CHECK(said([&] { Topology(5, edges); }) ==
        "edge 1 (1,2): weight 0 is not finite and above 0\n"
        "edge 2 (2,3): weight inf is not finite and above 0\n"
        "edge 3 (2,2): a self loop\n"
        "edge 4 (0,9): endpoint 9 is not below 5 agents\n"
        "edge 5 (1,0): given twice\n"
        "edge 6 (7,6): endpoint 7 is not below 5 agents\n"
        "edge 6 (7,6): endpoint 6 is not below 5 agents\n"
        "edge 6 (7,6): weight -1 is not finite and above 0\n"
        "edge 7 (8,8): endpoint 8 is not below 5 agents\n"
        "edge 7 (8,8): a self loop");
}

TEST_CASE("a topology needs an agent") {
  CHECK(said([] { Topology(0, {}); }) == "agents: expected 1 to 4294967295, found 0");
  CHECK(said([] { Topology(-3, {{0, 1}}); }) == "agents: expected 1 to 4294967295, found -3");
}

TEST_CASE("positions are one point of the unit square per agent, or none") {
  CHECK(Topology(2, {{0, 1}}, {{0, 0}, {1, 0.5}}).positions()[1] == Point{1, 0.5});
  CHECK(said([] { Topology(3, {}, {{0, 0}, {1, 1}}); }) == "positions: expected none or 3, found 2");
  CHECK(said([] {
          Topology(2, {}, {{0, -0.5}, {2, 1}});
        }) ==
        "position 0: expected a point of the unit square, found (0, -0.5)\n"
        "position 1: expected a point of the unit square, found (2, 1)");
}

TEST_CASE("The components are those that Boost.Graph finds, numbered alike") {
  Draws draws(1, Purpose{"components"});
  for (const std::int64_t count : {20, 45, 90}) {  // from many components to few
    std::vector<Edge> edges;
    for (std::int64_t k = 0; k < count; ++k)
      edges.push_back({static_cast<AgentId>(draws.below(60)), static_cast<AgentId>(draws.below(60))});
    const Topology topology(60, simple_edges(std::move(edges)));
    std::vector<AgentId> component(60);
    boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(60);
    for (const Edge& edge : topology.edges()) boost::add_edge(edge.from, edge.to, graph);
    CHECK(topology.components() == boost::connected_components(graph, component.data()));
    CHECK(std::ranges::equal(topology.component_of(), component));
    CHECK(topology.components() > 1);
  }
}

}  // namespace lagnet::topology_test
