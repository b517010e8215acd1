#include "topologies/digraphs/random_out.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "tests/unit/topologies/generators/graphs.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::random_out_test {

namespace {

RandomOutOptions random_out(std::int64_t agents, std::int64_t degree, std::int64_t tries = 100) {
  RandomOutOptions options;
  options.agents = agents;
  options.degree = degree;
  options.tries = tries;
  return options;
}

}  // namespace

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
        "expected a topology that can be made, found no strongly connected digraph in 3 draws of random_out with 12 "
        "agents and degree 1; raise degree or raise "
        "tries");
  CHECK(said([] { make_topology(random_out(4, 4), 1); }) == "random_out.degree: expected below agents, found 4");
  CHECK(said([] { make_topology(random_out(1, 1), 1); }) == "random_out.agents: expected at least 2, found 1");
  CHECK(make_topology(random_out(4, 1, 1000), 1).tries() > 1);  // 3!/3^4 of the draws, one in 13.5
}

}  // namespace lagnet::random_out_test
