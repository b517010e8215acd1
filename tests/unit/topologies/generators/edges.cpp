#include "topologies/generators/edges.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::edges_test {

namespace {

EdgesOptions options(std::int64_t agents, std::vector<std::vector<std::int64_t>> edges) {
  EdgesOptions made;
  made.agents = agents;
  made.edges = std::move(edges);
  return made;
}

}  // namespace

TEST_CASE("edges are written as they are, in any order") {
  CHECK(edges_of(make_topology(options(3, {{2, 1}, {0, 1}}), 1)) == std::vector<Edge>{{0, 1}, {1, 2}});
  CHECK(make_topology(options(1, {}), 1).agents() == 1);
}

TEST_CASE("the options of a graph make it again") {
  const Topology ring = with_agents<RingOptions>(5);
  CHECK(edges_of(make_topology(edges_options(ring), 1)) == edges_of(ring));
}

TEST_CASE("what is no edge is named") {
  CHECK(said([] {
          make_topology(options(3, {{0, 1, 2}, {0, 3}}), 1);
        }) == "edges.edges/0: expected two agents, found [0, 1, 2]\nedges.edges/1: expected agents below 3, found 3");
  CHECK(said([] { make_topology(options(3, {{-1, 0}}), 1); }) == "edges.edges: expected at least 0, found -1");
  CHECK(said([] {
          make_topology(options(3, {{1, 1}, {0, 1}, {1, 0}}), 1);
        }) == "edge 0 (1,1): a self loop\nedge 2 (1,0): given twice");
}

}  // namespace lagnet::edges_test
