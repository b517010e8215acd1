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

TEST_CASE("The graphs of a union have the same names and the same latencies of links") {
  const auto named = [](std::vector<std::string> names, double latency_ms) {
    GraphNotes notes;
    notes.names = std::move(names);
    notes.links = {{0, 1, latency_ms, {}}};
    return Topology(2, {{0, 1}}).with_notes(std::move(notes));
  };
  GraphUnion all(named({"a", "b"}, 5));
  CHECK(all.add(named({"a", "b"}, 5)).empty());
  CHECK(all.topology().notes().names == std::vector<std::string>{"a", "b"});
  CHECK(all.topology().notes().links.size() == 1);
  CHECK(sentences(all.add(named({"b", "a"}, 7))) ==
        "expected a as node 0, as before, found b\nexpected b as node 1, as before, found a\n"
        "expected the latency and bandwidth of link (0,1) as before, found others");
}

}  // namespace lagnet::graph_union_test
