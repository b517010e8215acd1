#include "topologies/structure.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/isomorphism.hpp>
#include <catch2/catch.hpp>
#include <vector>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/said.hpp"
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

/// By Floyd and Warshall.
Matrix by_relaxation(const Topology& topology) {
  Matrix lengths = Matrix::Constant(topology.agents(), topology.agents(), 1e300);
  lengths.diagonal().setZero();
  for (const Edge& edge : topology.edges()) lengths(edge.from, edge.to) = lengths(edge.to, edge.from) = edge.weight;
  for (Index k = 0; k < lengths.rows(); ++k)
    for (Index i = 0; i < lengths.rows(); ++i)
      for (Index j = 0; j < lengths.rows(); ++j) lengths(i, j) = std::min(lengths(i, j), lengths(i, k) + lengths(k, j));
  return lengths;
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

TEST_CASE("a tree of two levels is known by its shape") {
  const auto parents = [](Index agents, std::vector<Edge> edges) {
    return two_level_parents(Topology(agents, std::move(edges)));
  };
  CHECK(parents(6, {{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}}) == std::vector<AgentId>{0, 0, 0, 1, 1, 2});
  CHECK(parents(6, {{0, 1}, {0, 2}, {1, 4}, {2, 3}, {1, 5}}) == std::vector<AgentId>{0, 0, 0, 2, 1, 1});
  CHECK_FALSE(parents(4, {{0, 1}, {0, 2}, {0, 3}}));                  // edges without clients
  CHECK_FALSE(parents(5, {{0, 1}, {0, 2}, {1, 3}, {1, 4}}));          // one of them
  CHECK_FALSE(parents(5, {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 4}}));  // edges that know each other
  CHECK_FALSE(parents(5, {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 4}}));  // a client of two
  CHECK_FALSE(parents(4, {{0, 2}, {2, 1}, {2, 3}}));                  // an edge that is not agent 1
  CHECK_FALSE(parents(4, {{0, 1}, {1, 2}, {2, 3}}));                  // three levels
  CHECK_FALSE(two_level_parents(Topology(1, {})));
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

TEST_CASE("The sides of a bipartite topology are those of every second agent of an even ring") {
  const TwoSides sides = two_sides(Topology(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}}));
  CHECK(sides.first == std::vector<bool>{true, false, true, false, true, false});
  CHECK(sides.odd_cycle.empty());
}

TEST_CASE("Where a topology has no two sides, agents of an odd cycle are named") {
  const Topology topology(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 2}, {4, 5}});
  const TwoSides sides = two_sides(topology);
  CHECK(sides.first.empty());
  std::vector<AgentId> cycle = sides.odd_cycle;
  std::ranges::sort(cycle);
  CHECK(cycle == std::vector<AgentId>{2, 3, 4});
}

TEST_CASE("One agent alone has a side") { CHECK(two_sides(Topology(1, {})).first == std::vector<bool>{true}); }

TEST_CASE("of a strongly connected digraph there is nothing to say") {
  CHECK(why_not_strongly_connected(Topology::of_arcs(3, {{0, 1}, {1, 2}, {2, 0}})).empty());
  CHECK(why_not_strongly_connected(Topology::of_arcs(1, {})).empty());
}

TEST_CASE("who cannot reach agent 0 and whom it cannot reach are named by their components") {
  // A ring of six, which sends to two more agents that answer nobody.
  std::vector<Edge> arcs{{0, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 6}, {6, 0}, {2, 4}, {6, 7}};
  CHECK(
      why_not_strongly_connected(Topology::of_arcs(8, arcs)) ==
      "the digraph has 3 strongly connected components, agents [4], [7] cannot reach agent 0; expected one component");
  CHECK(why_not_strongly_connected(Topology::of_arcs(4, {{0, 1}, {1, 0}, {2, 3}, {3, 2}, {2, 0}})) ==
        "the digraph has 2 strongly connected components, agent 0 cannot reach agents [2, 3]; expected one component");
  CHECK(why_not_strongly_connected(Topology::of_arcs(4, {{0, 1}, {2, 0}})) ==
        "the digraph has 4 strongly connected components, agents [1], [3] cannot reach agent 0, agent 0 cannot reach "
        "agents [2], [3]; expected one component");
}

TEST_CASE("of many components and agents the first are listed") {
  std::vector<Edge> arcs;
  for (AgentId agent = 1; agent < 12; ++agent) arcs.push_back({0, agent});
  CHECK(why_not_strongly_connected(Topology::of_arcs(12, arcs)) ==
        "the digraph has 12 strongly connected components, agents [1], [2], [3], [4], [5], [6], [7], [8] and 3 more "
        "components cannot reach agent 0; expected one component");
  arcs = {{0, 1}};
  for (AgentId agent = 1; agent < 12; ++agent) arcs.push_back({agent, agent < 11 ? agent + 1 : 1});
  CHECK(why_not_strongly_connected(Topology::of_arcs(12, arcs)) ==
        "the digraph has 2 strongly connected components, agents [1, 2, 3, 4, 5, 6, 7, 8 and 3 more] cannot reach "
        "agent 0; expected one component");
}

TEST_CASE("a message takes the shortest way, which may pass others") {
  const Topology underlay(4, {{0, 1, 5}, {0, 2, 1}, {2, 1, 2}, {1, 3, 0.5}});
  Matrix expected(4, 4);
  expected << 0, 3, 1, 3.5, 3, 0, 2, 0.5, 1, 2, 0, 2.5, 3.5, 0.5, 2.5, 0;
  CHECK(route_lengths(underlay) == expected);
  CHECK(route_lengths(Topology(1, {})) == Matrix::Zero(1, 1));
}

TEST_CASE("routes are as short as any way") {
  Draws draws(1, Purpose{"underlay"});
  std::vector<Edge> drawn;
  for (AgentId k = 0; k + 1 < 25; ++k) drawn.push_back({k, k + 1});
  for (int k = 0; k < 60; ++k)
    drawn.push_back({static_cast<AgentId>(draws.below(25)), static_cast<AgentId>(draws.below(25))});
  drawn = simple_edges(std::move(drawn));
  for (Edge& edge : drawn) edge.weight = 0.1 + draws.uniform();
  const Topology underlay(25, std::move(drawn));
  const Matrix lengths = route_lengths(underlay);
  CHECK((lengths - by_relaxation(underlay)).cwiseAbs().maxCoeff() < 1e-14);  // sums of a few weights of about 1
  CHECK(lengths == lengths.transpose());
}

TEST_CASE("what is not connected has no routes") {
  CHECK(said([] { route_lengths(Topology(3, {{0, 1}})); }) == "expected a connected graph, found 2 components");
}

}  // namespace lagnet::structure_test
