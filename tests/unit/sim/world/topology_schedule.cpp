#include "sim/world/topology_schedule.hpp"

#include <set>

#include "tests/unit/sim/world.hpp"

namespace lagnet::topology_schedule_test {

using namespace lagnet::test;

namespace {

Network complete(AgentId agents) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < agents; ++a)
    for (AgentId b = a + 1; b < agents; ++b) join(links, a, b, 1);
  return Network(agents, links);
}

/// The links of a round, as a bit each.
std::vector<bool> links_of(const TopologySchedule& schedule, const Network& network, Round round) {
  std::vector<bool> active;
  for (LinkId link = 0; link < network.links(); ++link) active.push_back(schedule.active(link, round, 0));
  return active;
}

bool is_symmetric(const std::vector<bool>& active, const Network& network) {
  for (AgentId a = 0; a < network.agents(); ++a)
    for (const AgentId b : network.neighbors(a))
      if (active[network.find(a, b)] != active[network.find(b, a)]) return false;
  return true;
}

/// The neighbors that an agent has in a round.
std::vector<AgentId> partners(const std::vector<bool>& active, const Network& network, AgentId agent) {
  std::vector<AgentId> found;
  for (const AgentId other : network.neighbors(agent))
    if (active[network.find(agent, other)]) found.push_back(other);
  return found;
}

std::shared_ptr<TimedGraphs> two_graphs(const Network& network, std::int64_t change_ns, AgentId a, AgentId b) {
  std::vector<bool> all(network.links(), true), one(network.links(), false);
  one[network.find(a, b)] = one[network.find(b, a)] = true;
  return std::make_shared<TimedGraphs>(std::vector<TimedGraphs::Graph>{{at(0), all}, {at(change_ns), one}}, Duration());
}

}  // namespace

TEST_CASE("a random matching is symmetric and maximal, and gives no agent two neighbors") {
  for (const Network& network :
       {Network(7, ring({1, 1, 1, 1, 1, 1, 1})), Network(6, star({1, 1, 1, 1, 1})), complete(9)}) {
    const RandomMatchings schedule(network, 3);
    std::set<std::vector<bool>> different;
    for (Round round = 1; round <= 200; ++round) {
      const auto active = links_of(schedule, network, round);
      different.insert(active);
      REQUIRE(is_symmetric(active, network));
      for (AgentId a = 0; a < network.agents(); ++a) {
        const auto mine = partners(active, network, a);
        REQUIRE(mine.size() <= 1);
        if (!mine.empty()) continue;
        for (const AgentId b : network.neighbors(a)) REQUIRE(partners(active, network, b).size() == 1);
      }
    }
    CHECK(different.size() >= 5);  // a star with 5 leaves has no more
  }
}

TEST_CASE("a matching depends only on seed and round, not on earlier calls") {
  const Network network = complete(8);
  const RandomMatchings schedule(network, 5), same(network, 5), other(network, 6);
  std::vector<std::vector<bool>> forwards;
  for (Round round = 0; round < 300; ++round) forwards.push_back(links_of(schedule, network, round));
  std::size_t unlike_other = 0;
  for (Round round = 299; round >= 0; --round) {
    const auto& before = forwards[static_cast<std::size_t>(round)];
    REQUIRE(links_of(same, network, round) == before);
    if (links_of(other, network, round) != before) ++unlike_other;
  }
  CHECK(unlike_other > 250);  // 105 perfect matchings of 8 agents: two draws agree once in 105
}

TEST_CASE("of two edges with a common end each is the matching in half of the rounds") {
  const Network network(3, line({1, 1}));
  const RandomMatchings schedule(network, 1);
  const int rounds = 10000;
  int first = 0;
  for (Round round = 0; round < rounds; ++round) first += schedule.active(network.find(0, 1), round, 0);
  CHECK(std::abs(first - rounds / 2) < 250);  // five standard deviations of sqrt(10000) / 2
}

TEST_CASE("random edges come with their probability, in both directions, whatever other edges there are") {
  const Network few(5, ring({1, 1, 1, 1, 1})), many = complete(5);
  const RandomEdges on_few(few, 0.3, 7), on_many(many, 0.3, 7);
  const int rounds = 4000;
  int count = 0;
  for (Round round = 0; round < rounds; ++round) {
    const auto active = links_of(on_few, few, round);
    REQUIRE(is_symmetric(active, few));
    for (AgentId a = 0; a < 5; ++a) {
      const AgentId b = (a + 1) % 5;
      REQUIRE(active[few.find(a, b)] == on_many.active(many.find(a, b), round, 0));
      count += active[few.find(a, b)];
    }
  }
  // 5 * 4000 draws: mean 6000, standard deviation sqrt(20000 * 0.21) = 65.
  CHECK(std::abs(count - 6000) < 5 * 65);
  CHECK(links_of(RandomEdges(few, 1, 7), few, 3) == std::vector<bool>(few.links(), true));
}

TEST_CASE("graphs in turn run for their rounds and begin again") {
  const GraphsInTurn schedule({{true, false}, {false, true}, {true, true}}, 2);
  const auto on = [&](LinkId link) {
    std::vector<bool> found;
    for (Round round = 0; round <= 8; ++round) found.push_back(schedule.active(link, round, 0));
    return found;
  };
  // Round 0, then rounds 1 and 2 on the first graph, 3 and 4 on the second, 5 and 6 on the third, 7 on the first.
  CHECK(on(0) == std::vector<bool>{true, true, true, false, false, true, true, true, true});
  CHECK(on(1) == std::vector<bool>{false, false, false, true, true, true, true, false, false});
  CHECK((GraphTurns{3, 1}.of(1) == 0 && GraphTurns{3, 1}.of(3) == 2 && GraphTurns{3, 1}.of(4) == 0));
  CHECK_THROWS_AS(GraphsInTurn({}, 1), InternalError);
  CHECK_THROWS_AS(GraphsInTurn({{true}}, 0), InternalError);
}

TEST_CASE("timed graphs change at their times and start again after a period") {
  const std::vector<bool> none(2, false);
  const TimedGraphs once({{at(0), none}, {at(10), none}, {at(25), none}}, Duration());
  const TimedGraphs again({{at(0), none}, {at(10), none}, {at(25), none}}, span(40));
  const auto graphs = [](const TimedGraphs& schedule, std::int64_t from) {
    std::vector<std::uint32_t> found;
    for (const std::int64_t t : {0, 9, 10, 24, 25, 39}) found.push_back(schedule.graph(at(from + t)));
    return found;
  };
  const std::vector<std::uint32_t> in_turn{0, 0, 1, 1, 2, 2};
  CHECK(graphs(once, 0) == in_turn);
  CHECK(graphs(once, 40) == std::vector<std::uint32_t>(6, 2));
  CHECK(graphs(again, 0) == in_turn);
  CHECK(graphs(again, 120) == in_turn);
  CHECK_THROWS_AS(TimedGraphs({{at(1), none}}, Duration()), InternalError);
  CHECK_THROWS_AS(TimedGraphs({{at(0), none}, {at(0), none}}, Duration()), InternalError);
  CHECK_THROWS_AS(TimedGraphs({{at(0), none}, {at(9), none}}, span(9)), InternalError);
}

TEST_CASE("a round keeps the graph with which it or a later round began") {
  const TimedGraphs schedule({{at(0), {}}, {at(10), {}}, {at(20), {}}}, Duration());
  RoundGraphs graphs;
  CHECK(graphs.of(3, at(9), schedule) == 0);
  CHECK(graphs.of(4, at(10), schedule) == 1);
  CHECK(graphs.of(3, at(11), schedule) == 0);
  CHECK(graphs.of(9, at(20), schedule) == 2);
  for (const Round round : {5, 8, 9}) CHECK(graphs.of(round, at(21), schedule) == 2);
  CHECK(graphs.of(4, at(30), schedule) == 1);
  CHECK(graphs.of(0, at(30), schedule) == 0);
}

namespace {

struct Heard {
  std::vector<double> sums;
  std::vector<std::size_t> absent;
};

/// Two rounds, one exchange each, the first after a while.
Task<> two_rounds(Agent& me, Duration wait, Heard& heard) {
  co_await me.sleep(wait);
  for (Round t = 0; t < 2; ++t) {
    const Vector sum = co_await me.neighbor_sum(scalar(std::pow(10, me.id())));
    heard.sums.push_back(sum[0]);
    heard.absent.push_back(me.absent().size());
    me.report(t);
  }
}

}  // namespace

TEST_CASE("an agent that begins a round late takes part in the graph on which the others began it") {
  const Network network(3, ring({5, 5, 5}));
  SimulationOptions options;
  options.model.topology = two_graphs(network, 10, 0, 1);
  World world(3, ring({5, 5, 5}), options);
  std::vector<Heard> heard(3);
  // Round 0 begins at 0, when the ring is whole. Agent 2 joins at 50, and round 1 runs on the edge 0 - 1 alone.
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, two_rounds(world.agent(a), span(a == 2 ? 50 : 0), heard[a]));
  world.run();
  CHECK(heard[0].sums == std::vector<double>{110, 10});
  CHECK(heard[1].sums == std::vector<double>{101, 1});
  CHECK(heard[2].sums == std::vector<double>{11, 0});
  CHECK(heard[2].absent == std::vector<std::size_t>{0, 2});
  const AgentAccount& total = world.ledger.total();
  CHECK(total.messages_sent == 6 + 2);
  CHECK(total.messages_received == total.messages_sent);
  CHECK((total.dropped == 0 && total.messages_lost == 0));
}

TEST_CASE("messages over a link outside the round's graph are lost") {
  const Network network(3, line({5, 5}));
  SimulationOptions options;
  options.model.topology = two_graphs(network, 10, 0, 1);
  World world(3, line({5, 5}), options);
  std::vector<Seen> seen;
  world.spawn(1, sleep_then_send(world.agent(1), span(20), 2, 4, 1.5));
  world.spawn_daemon(2, receive_forever(world.agent(2), seen));
  world.spawn(0, only_sleep(world.agent(0), span(100)));
  world.run();
  CHECK(seen.empty());
  CHECK(world.ledger.agent(1).messages_lost == 1);
  bool link_was_down = false;
  for (const SimEvent& one : world.log.all)
    link_was_down |= one.what == EventKind::lost && one.cause == Cause::link_down;
  CHECK(link_was_down);
}

TEST_CASE("a deadlock on a changing topology names the round and the neighbors of that round") {
  const Network network(3, ring({5, 5, 5}));
  SimulationOptions options;
  options.model.topology = two_graphs(network, 10, 0, 1);
  World world(3, ring({5, 5, 5}), options);
  std::vector<Heard> heard(2);
  world.spawn(0, two_rounds(world.agent(0), span(20), heard[0]));
  world.spawn(2, two_rounds(world.agent(2), span(20), heard[1]));
  world.spawn(1, only_sleep(world.agent(1), span(1)));
  CHECK_THROWS_WITH(world.run(), Catch::Contains("agent 0 waits for exchange 1 of round 0 with agents 1"));
  CHECK(heard[1].sums == std::vector<double>{0, 0});  // it has no neighbor in these rounds
}

}  // namespace lagnet::topology_schedule_test
