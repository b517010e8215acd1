#include "topologies/graph_union.hpp"

#include <catch2/catch.hpp>

namespace lagnet::graph_union_test {

TEST_CASE("The union of graphs has every edge once and the positions of the first") {
  GraphUnion all(Topology(3, {{0, 1, 2}}, {{0, 0}, {0.5, 0}, {1, 1}}, 4));
  CHECK(all.add(Topology(3, {{1, 0, 2}, {2, 1}})).empty());
  const Topology topology = all.topology();
  REQUIRE(topology.edges().size() == 2);
  CHECK(topology.edges()[0] == Edge{0, 1, 2});
  CHECK(topology.edges()[1] == Edge{1, 2, 1});
  CHECK(topology.positions()[1] == Point{0.5, 0});
  CHECK(topology.tries() == 4);
}

TEST_CASE("A graph that does not fit into a union says why") {
  GraphUnion all(Topology(3, {{0, 1, 2}}));
  CHECK(sentences(all.add(Topology(4, {}))) == "expected 3 agents, as many as the topology has, found 4");
  CHECK(sentences(all.add(Topology(3, {{0, 1, 5}, {0, 2}}))) == "expected weight 2 for edge (0,1), as before, found 5");
  CHECK(all.topology().edges().size() == 2);
}

}  // namespace lagnet::graph_union_test
