#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "tests/unit/topologies/said.hpp"
#include "topologies/generators/families.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::fixed_families_test_test {

namespace {

template <class Options>
Topology with_agents(std::int64_t agents) {
  Options options;
  options.agents = agents;
  return make_topology(options, 1);
}

std::size_t edge_count(const Topology& topology) { return topology.edges().size(); }

std::vector<Edge> edges_of(const Topology& topology) { return {topology.edges().begin(), topology.edges().end()}; }

Topology barbell(std::int64_t clique, std::int64_t path) {
  BarbellOptions options;
  options.clique_agents = clique;
  options.path_agents = path;
  return make_topology(options, 1);
}

Topology clusters(std::int64_t count, std::int64_t size) {
  TwoLevelClusterOptions options;
  options.clusters = count;
  options.cluster_agents = size;
  return make_topology(options, 1);
}

}  // namespace

TEMPLATE_TEST_CASE("every fixed family has a graph of one agent and one of two, and none of no agents", "",
                   CompleteOptions, StarOptions, RingOptions, PathOptions, BinaryTreeOptions, ExponentialOptions,
                   HypercubeOptions) {
  CHECK(with_agents<TestType>(1).connected());
  CHECK(edge_count(with_agents<TestType>(1)) == 0);
  CHECK(edges_of(with_agents<TestType>(2)) == std::vector<Edge>{{0, 1}});
  CHECK(said([] { with_agents<TestType>(0); }) ==
        fmt::format("{}.agents: expected at least 1, found 0", TestType::kind));
}

TEST_CASE("the elementary families have the edges of their definitions") {
  CHECK(edge_count(with_agents<CompleteOptions>(7)) == 21);
  CHECK(edges_of(with_agents<RingOptions>(4)) == std::vector<Edge>{{0, 1}, {0, 3}, {1, 2}, {2, 3}});
  CHECK(edges_of(with_agents<PathOptions>(4)) == std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}});
  CHECK(edges_of(with_agents<BinaryTreeOptions>(6)) == std::vector<Edge>{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
}

TEST_CASE("the center of a star may be any agent") {
  StarOptions options;
  options.agents = 4;
  options.center = 2;
  CHECK(edges_of(make_topology(options, 1)) == std::vector<Edge>{{0, 2}, {1, 2}, {2, 3}});
  options.center = 4;
  CHECK(said([&] { make_topology(options, 1); }) == "star.center: expected an agent below agents, found 4");
}

TEST_CASE("all fields out of their limits are reported together") {
  StarOptions options;
  options.agents = -2;
  options.center = -1;
  CHECK(said([&] { make_topology(options, 1); }) ==
        "star.agents: expected at least 1, found -2\nstar.center: expected at least 0, found -1");
}

TEST_CASE("a complete binary tree of k levels has diameter 2(k-1)") {
  // Between two leaves below different children of the root: up k-1 levels and down again.
  CHECK(distances(with_agents<BinaryTreeOptions>(15)).diameter == 6);
  CHECK(distances(with_agents<BinaryTreeOptions>(16)).diameter == 7);  // one leaf a level deeper
}

TEST_CASE("an exponential graph has neighbors at the powers of two on either side") {
  const Topology topology = with_agents<ExponentialOptions>(16);
  const auto neighbors = topology.neighbors(0);
  CHECK(std::vector<AgentId>(neighbors.begin(), neighbors.end()) == std::vector<AgentId>{1, 2, 4, 8, 12, 14, 15});
  CHECK(topology.max_degree() == 7);
  CHECK(edge_count(topology) == 16 * 7 / 2);
}

TEST_CASE("a hypercube of 2^k agents is k-regular with diameter k") {
  const Topology topology = with_agents<HypercubeOptions>(32);
  CHECK(edge_count(topology) == 32 * 5 / 2);
  CHECK(degree_statistics(topology).min == 5);
  CHECK(topology.max_degree() == 5);
  CHECK(distances(topology).diameter == 5);
  CHECK(said([] { with_agents<HypercubeOptions>(12); }) == "hypercube.agents: expected a power of two, found 12");
}

TEST_CASE("a barbell has two cliques and a path between them") {
  const Topology topology = barbell(4, 2);
  CHECK(topology.agents() == 10);
  CHECK(edge_count(topology) == 6 + 6 + 3);
  // One step to the gate of a clique, path_agents + 1 steps to the other gate, one step from it.
  CHECK(distances(topology).diameter == 5);
  CHECK(barbell(3, 0).agents() == 6);
  CHECK(edge_count(barbell(3, 0)) == 7);
  CHECK(edges_of(barbell(1, 1)) == std::vector<Edge>{{0, 1}, {1, 2}});
  CHECK(said([] { barbell(0, -1); }) ==
        "barbell.clique_agents: expected at least 1, found 0\nbarbell.path_agents: expected at least 0, found -1");
}

TEST_CASE("the heads of a two-level cluster are the first agents of their cliques") {
  const Topology topology = clusters(3, 4);
  CHECK(topology.agents() == 12);
  CHECK(edge_count(topology) == 3 * 6 + 3);
  for (AgentId i = 0; i < 12; ++i) CHECK(topology.degree(i) == (i % 4 == 0 ? 5 : 3));
  CHECK(distances(topology).diameter == 3);  // member, head, other head, member
  CHECK(clusters(1, 1).agents() == 1);
  CHECK(edge_count(clusters(4, 1)) == 6);
}

}  // namespace lagnet::fixed_families_test_test
