#include "topologies/generators/clustered.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"
#include "topologies/laplacian.hpp"

namespace lagnet::clustered_test {

namespace {

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

}  // namespace lagnet::clustered_test
