#include "topologies/digraphs/circular.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/topologies/generators/graphs.hpp"

namespace lagnet::circular_test {

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

}  // namespace lagnet::circular_test
