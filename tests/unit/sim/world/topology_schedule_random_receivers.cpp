#include <set>

#include "sim/world/topology_schedule.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::random_receivers_test {

using namespace lagnet::test;

namespace {

Network complete(AgentId agents) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < agents; ++a)
    for (AgentId b = a + 1; b < agents; ++b) join(links, a, b, 1);
  return Network(agents, links);
}

}  // namespace

TEST_CASE("each agent sends to as many others in every round, and where it is balanced as many send to it") {
  const Network network = complete(7);
  for (const bool is_balanced : {false, true}) {
    const RandomReceivers schedule(network, {.out = 3, .is_balanced = is_balanced}, 5);
    std::set<std::vector<std::vector<AgentId>>> different;
    bool unequal = false;
    for (Round round = 1; round <= 100; ++round) {
      const auto receivers = schedule.receivers(round);
      different.insert(receivers);
      std::vector<int> heard(7);
      for (AgentId i = 0; i < 7; ++i) {
        const std::set<AgentId> to(receivers[i].begin(), receivers[i].end());
        REQUIRE((to.size() == 3 && !to.contains(i)));
        for (const AgentId j : network.neighbors(i))
          REQUIRE(schedule.active(network.find(i, j), round, 0) == to.contains(j));
        for (const AgentId j : to) ++heard[j];
      }
      for (const int count : heard) unequal = unequal || count != 3;
    }
    CHECK(unequal != is_balanced);
    CHECK(different.size() > 80);  // of 20^7 rounds, or of 720 orders of a circle, of which 93 are expected
  }
}

TEST_CASE("receivers are drawn by the given numbers from the others in ascending order") {
  const Network network = complete(4);
  const auto given = [](AgentId agent, Round, std::int64_t index) {
    return agent == 0   ? 0.9
           : index == 0 ? 0.4
                        : 0.1;  // of agent 0 the last one left, of others the middle and the first
  };
  const RandomReceivers local(network, {.out = 2}, 1, given);
  // 0 of (1, 2, 3): 3, then of (2, 1): 1. Agent 1 of (0, 2, 3): 2, then 0.
  CHECK(local.receivers(1) == std::vector<std::vector<AgentId>>{{3, 1}, {2, 0}, {1, 0}, {1, 0}});
  // 0.9: the places 3, 2, 1 swap with themselves.
  const RandomReceivers circle(network, {.out = 2, .is_balanced = true}, 1, given);
  CHECK(circle.receivers(1) == std::vector<std::vector<AgentId>>{{1, 2}, {2, 3}, {3, 0}, {0, 1}});
}

TEST_CASE("rules that cannot be are refused") {
  CHECK_THROWS_AS(RandomReceivers(complete(4), {.out = 4}, 1), InternalError);
  CHECK_THROWS_AS(RandomReceivers(Network(4, ring({1, 1, 1, 1})), {.out = 1}, 1), InternalError);
}

}  // namespace lagnet::random_receivers_test
