#include "topologies/digraphs/orient.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::orient_test {

namespace {

std::set<std::pair<AgentId, AgentId>> ends_of(const Topology& topology) {
  std::set<std::pair<AgentId, AgentId>> ends;
  for (const Edge& edge : topology.edges()) ends.emplace(edge.from, edge.to);
  return ends;
}

}  // namespace

TEST_CASE("an oriented graph has one arc or both where it had an edge and no other") {
  const Topology graph(6, {{0, 1, 2}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {0, 3, 7}, {1, 4}},
                       {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0.5, 0}, {0, 0.5}});
  std::size_t one_way = 0, edges = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Topology digraph = oriented(graph, {.one_way = 0.4, .tries = 100}, seed);
    CHECK(digraph.is_directed());
    CHECK(digraph.connected());
    CHECK(digraph.positions()[3] == Point{1, 1});
    const auto ends = ends_of(digraph);
    std::size_t arcs = 0;
    for (const Edge& edge : graph.edges()) {
      const bool forth = ends.contains({edge.from, edge.to}), back = ends.contains({edge.to, edge.from});
      CHECK((forth || back));
      arcs += forth + back;
      one_way += forth != back;
    }
    CHECK(ends.size() == arcs);
    for (const Edge& arc : digraph.edges())
      if (std::min(arc.from, arc.to) == 0 && std::max(arc.from, arc.to) == 3) CHECK(arc.weight == 7);
    edges += graph.edges().size();
  }
  // Each edge goes one way with probability 0.4, a little less by what is redrawn: within a tenth.
  CHECK(std::abs(static_cast<double>(one_way) / static_cast<double>(edges) - 0.4) < 0.1);
}

TEST_CASE("each edge takes one draw and a second one where it goes one way") {
  const Topology complete = with_agents<CompleteOptions>(7);
  const Topology digraph = oriented(complete, {.one_way = 0.3}, 5);
  REQUIRE(digraph.tries() == 1);
  Draws draws(5, Purpose{"orientation"}, 0, 0);
  std::set<std::pair<AgentId, AgentId>> expected;
  for (const Edge& edge : complete.edges()) {
    const double u1 = draws.uniform();
    if (u1 >= 0.3) {
      expected.emplace(edge.from, edge.to);
      expected.emplace(edge.to, edge.from);
    } else if (draws.uniform() < 0.5) {
      expected.emplace(edge.from, edge.to);
    } else {
      expected.emplace(edge.to, edge.from);
    }
  }
  CHECK(ends_of(digraph) == expected);
}

TEST_CASE("with probability 0 every edge goes both ways and with 1 none does") {
  const Topology ring = with_agents<RingOptions>(5);
  CHECK(oriented(ring, {.one_way = 0}, 1).edges().size() == 10);
  std::int64_t tries = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Topology turned = oriented(ring, {.one_way = 1, .tries = 1000}, seed);
    CHECK(turned.edges().size() == 5);  // a directed ring, one of two among 2^5 draws
    tries += turned.tries();
  }
  CHECK(tries > 20 * 4);  // 16 on average
}

TEST_CASE("a graph that cannot be oriented says why") {
  CHECK(said([] { oriented(with_agents<PathOptions>(3), {.one_way = 1, .tries = 4}, 1); }) ==
        "expected a topology that can be made, found no strongly connected digraph in 4 draws of 3 agents and 2 edges, "
        "of which each goes one way with probability "
        "1; lower one_way or raise tries");
  CHECK(said([] { oriented(Topology(3, {{0, 1}}), {}, 1); }) == "of: expected a connected graph, found 2 components");
  CHECK(said([] {
          oriented(Topology::of_arcs(2, {{0, 1}, {1, 0}}), {}, 1);
        }) == "of: expected a graph without directions, found a directed one");
}

}  // namespace lagnet::orient_test
