#include "topologies/digraphs/digraphs.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <vector>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::digraphs_test {

namespace {

RandomOutOptions random_out(std::int64_t agents, std::int64_t degree, std::int64_t tries = 100) {
  RandomOutOptions options;
  options.agents = agents;
  options.degree = degree;
  options.tries = tries;
  return options;
}

std::set<std::pair<AgentId, AgentId>> ends_of(const Topology& topology) {
  std::set<std::pair<AgentId, AgentId>> ends;
  for (const Edge& edge : topology.edges()) ends.emplace(edge.from, edge.to);
  return ends;
}

}  // namespace

TEST_CASE("in a directed ring each agent sends to the next") {
  const Topology ring = with_agents<DirectedRingOptions>(4);
  CHECK(ring.is_directed());
  CHECK(edges_of(ring) == std::vector<Edge>{{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  CHECK(edges_of(with_agents<DirectedRingOptions>(2)) == std::vector<Edge>{{0, 1}, {1, 0}});
  CHECK(with_agents<DirectedRingOptions>(1).edges().empty());
  CHECK(with_agents<DirectedRingOptions>(1000).connected());
}

TEST_CASE("in a directed exponential graph each agent sends to those a power of two ahead") {
  const Topology six = with_agents<DirectedExponentialOptions>(6);
  const auto out = six.out(4), in = six.in(4);
  CHECK(std::vector<AgentId>(out.begin(), out.end()) == std::vector<AgentId>{0, 2, 5});  // 1, 2 and 4 ahead
  CHECK(std::vector<AgentId>(in.begin(), in.end()) == std::vector<AgentId>{0, 2, 3});
  for (const std::int64_t agents : {1, 2, 3, 4, 5, 8, 9, 17}) {
    const Topology topology = with_agents<DirectedExponentialOptions>(agents);
    std::int64_t powers = 0;  // clog2(agents)
    while ((std::int64_t{1} << powers) < agents) ++powers;
    CHECK(std::ssize(topology.edges()) == agents * powers);
    CHECK(topology.connected());
    for (AgentId agent = 0; agent < agents; ++agent) {
      CHECK(std::ssize(topology.out(agent)) == powers);
      CHECK(std::ssize(topology.in(agent)) == powers);
    }
  }
}

TEST_CASE("in a random digraph every agent sends to as many others and all reach all") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    for (const auto& [agents, degree] : {std::pair(2, 1), {12, 2}, {12, 3}, {12, 8}, {12, 11}, {300, 9}}) {
      CAPTURE(seed, agents, degree);
      const Topology topology = make_topology(random_out(agents, degree), seed);
      CHECK(topology.is_directed());
      CHECK(topology.connected());
      for (AgentId agent = 0; agent < static_cast<AgentId>(agents); ++agent) CHECK(topology.degree(agent) == degree);
      CHECK(edges_of(topology) == edges_of(make_topology(random_out(agents, degree), seed)));
    }
  CHECK(edges_of(make_topology(random_out(12, 2), 1)) != edges_of(make_topology(random_out(12, 2), 2)));
}

TEST_CASE("every other agent is drawn alike by either way of drawing") {
  for (const std::int64_t degree : {2, 4}) {  // of 7: few are drawn one by one, many by a permutation
    std::vector<double> heard(8, 0);
    constexpr int graphs = 2000;
    for (std::uint64_t seed = 1; seed <= graphs; ++seed) {
      const Topology digraph = make_topology(random_out(8, degree, 1000), seed);
      for (const AgentId to : digraph.out(3)) ++heard[to];
    }
    CHECK(heard[3] == 0);
    // No agent is told from another, so that agent 3 sends to each with probability degree/7: five deviations of a
    // binomial count.
    const double p = static_cast<double>(degree) / 7, mean = graphs * p;
    for (AgentId to = 0; to < 8; ++to)
      if (to != 3) CHECK(std::abs(heard[to] - mean) < 5 * std::sqrt(mean * (1 - p)));
  }
}

TEST_CASE("a random digraph that is not found strongly connected says what to change") {
  // Of one arc each, only a single cycle through all is strongly connected: 11!/11^12 of the draws.
  CHECK(said([] { make_topology(random_out(12, 1, 3), 1); }) ==
        "expected a topology that can be made, found no strongly connected digraph in"
        " 3 draws of random_out with 12 agents and degree 1; raise degree or raise "
        "tries");
  CHECK(said([] { make_topology(random_out(4, 4), 1); }) == "random_out.degree: expected below agents, found 4");
  CHECK(said([] { make_topology(random_out(1, 1), 1); }) == "random_out.agents: expected at least 2, found 1");
  CHECK(make_topology(random_out(4, 1, 1000), 1).tries() > 1);  // 3!/3^4 of the draws, one in 13.5
}

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
        "expected a topology that can be made, found no strongly connected digraph in"
        " 4 draws of 3 agents and 2 edges, of which each goes one way with probability "
        "1; lower one_way or raise tries");
  CHECK(said([] { oriented(Topology(3, {{0, 1}}), {}, 1); }) == "of: expected a connected graph, found 2 components");
  CHECK(said([] {
          oriented(Topology::of_arcs(2, {{0, 1}, {1, 0}}), {}, 1);
        }) == "of: expected a graph without directions, found a directed one");
}

}  // namespace lagnet::digraphs_test
