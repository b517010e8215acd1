#include "topologies/structure.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/isomorphism.hpp>
#include <catch2/catch.hpp>

#include "sim/base/draws.hpp"
#include "topologies/generators/families.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet::structure_test {

namespace {

template <class Options>
Topology with_agents(std::int64_t agents) {
  Options options;
  options.agents = agents;
  return make_topology(options, 1);
}

/// The number of components that are left without an edge, or without an agent and its edges.
std::int64_t components_without(const Topology& topology, const Edge& edge) {
  std::vector<Edge> left;
  for (const Edge& one : topology.edges())
    if (one != edge) left.push_back(one);
  return Topology(topology.agents(), left).components();
}
std::int64_t components_without(const Topology& topology, AgentId agent) {
  std::vector<Edge> left;
  for (const Edge& one : topology.edges())
    if (one.from != agent && one.to != agent) left.push_back(one);
  return Topology(topology.agents(), left).components() - 1;  // the agent itself is one
}

auto undirected(const Topology& topology) {
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(
      static_cast<std::size_t>(topology.agents()));
  for (const Edge& edge : topology.edges()) boost::add_edge(edge.from, edge.to, graph);
  return graph;
}

}  // namespace

TEST_CASE("bridges and articulation points are those whose loss leaves more components") {
  Draws draws(3, Purpose{"structure"});
  for (int round = 0; round < 20; ++round) {
    std::vector<Edge> drawn;
    for (int k = 0; k < 36; ++k)
      drawn.push_back(
          {static_cast<AgentId>(draws.below(30)), static_cast<AgentId>(draws.below(30)), 1 + draws.uniform()});
    const Topology topology(30, simple_edges(std::move(drawn)));
    std::vector<Edge> bridges;
    for (const Edge& edge : topology.edges())
      if (components_without(topology, edge) > topology.components()) bridges.push_back(edge);
    std::vector<AgentId> points;
    for (AgentId agent = 0; agent < 30; ++agent)
      if (components_without(topology, agent) > topology.components()) points.push_back(agent);
    const WeakPlaces found = weak_places(topology);
    CHECK(found.bridges == bridges);
    CHECK(found.articulation_points == points);
    CHECK_FALSE(bridges.empty());
  }
  const WeakPlaces ring = weak_places(with_agents<RingOptions>(5));
  CHECK((ring.bridges.empty() && ring.articulation_points.empty()));
  CHECK(weak_places(with_agents<StarOptions>(5)).articulation_points == std::vector<AgentId>{0});
  CHECK(weak_places(Topology(1, {})).bridges.empty());
}

TEST_CASE("betweenness has its closed forms") {
  const auto star = betweenness(with_agents<StarOptions>(7)).value();
  CHECK(star == std::vector<double>{1, 0, 0, 0, 0, 0, 0});  // every path passes the hub
  const auto path = betweenness(with_agents<PathOptions>(5)).value();
  // Agent k of a path stands between k others on one side and 4 - k on the other: k (4 - k) of 6 pairs.
  for (std::size_t k = 0; k < 5; ++k) CHECK(path[k] == Approx(static_cast<double>(k * (4 - k)) / 6).epsilon(1e-15));
  CHECK(betweenness(with_agents<CompleteOptions>(6)).value() == std::vector<double>(6, 0));
  CHECK(betweenness(Topology(2, {{0, 1}})).value() == std::vector<double>{0, 0});
}

TEST_CASE("the middle has the shortest ways to all others") {
  const Middle star = middle(with_agents<StarOptions>(9)).value();
  CHECK(star.agent == 0);
  CHECK(star.mean_hops == 1);
  CHECK(star.radius == 1);
  const Middle path = middle(with_agents<PathOptions>(7)).value();
  CHECK(path.agent == 3);
  CHECK(path.mean_hops == 2);  // 1 1 2 2 3 3
  CHECK(path.radius == 3);
  CHECK_FALSE(middle(Topology(3, {{0, 1}})));
  CHECK(middle(Topology(1, {})).value().radius == 0);
}

TEST_CASE("a hypercube of sixteen agents is a torus of four by four") {
  LatticeOptions torus;
  torus.agents = 16;
  torus.torus = true;
  const auto hypercube = undirected(with_agents<HypercubeOptions>(16));
  CHECK(boost::isomorphism(hypercube, undirected(make_topology(torus, 1))));
  torus.torus = false;
  CHECK_FALSE(boost::isomorphism(hypercube, undirected(make_topology(torus, 1))));
}

}  // namespace lagnet::structure_test
