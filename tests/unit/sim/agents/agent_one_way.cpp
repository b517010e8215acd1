#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "sim/agents/agent.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

/// Exchanges over links that go one way: an agent sends to its neighbors, and waits for those whom it hears.
namespace lagnet::agent_one_way_test {

using namespace lagnet::test;

namespace {

LinkSpec arc(AgentId from, AgentId to, std::int64_t latency_ns) {
  return {.from = from, .to = to, .latency = span(latency_ns)};
}

Network digraph(AgentId agents, std::vector<LinkSpec> arcs) {
  return Network(agents, std::move(arcs), {}, LinkDirections::any);
}

/// 0 -> 1 -> ... -> 0, with a latency of each link.
Network directed_ring(const std::vector<std::int64_t>& latencies_ns) {
  const auto agents = static_cast<AgentId>(latencies_ns.size());
  std::vector<LinkSpec> arcs;
  for (AgentId a = 0; a < agents; ++a) arcs.push_back(arc(a, (a + 1) % agents, latencies_ns[a]));
  return digraph(agents, std::move(arcs));
}

Task<> exchange_counts(Agent& me, int rounds, std::vector<Seen>& got) {
  for (int k = 1; k <= rounds; ++k) {
    const Vector mine = scalar(me.id() + 100.0 * k);
    const std::vector<Message> messages = co_await me.exchange(mine);
    for (const Message& message : messages) got.push_back(seen(me.now(), message));
    me.report(k);
  }
}

Task<> sum_of_heard(Agent& me, Index size, Vector& sum) {
  const Vector mine = Vector::Constant(size, 1 << me.id());
  sum = co_await me.neighbor_sum(mine);
}

Task<> collect_from(Agent& me, std::vector<AgentId> cohort, std::vector<Seen>& got) {
  const auto messages = co_await me.collect(0, std::move(cohort));
  for (const Message& message : messages) got.push_back(seen(me.now(), message));
}

Task<> tell_neighbors(Agent& me) {
  me.broadcast(0, scalar(me.id()));
  co_return;
}

}  // namespace

TEST_CASE("An agent exchanges with whom it hears however far ahead these are") {
  // Agent 3 waits for 0 for 50 ns. Meanwhile 2, which hears nothing of that for three links, sends it four messages.
  const std::vector<LinkSpec> arcs{arc(0, 1, 1), arc(1, 2, 1), arc(2, 3, 1), arc(3, 0, 1), arc(0, 3, 50)};
  constexpr int rounds = 12;
  World world(digraph(4, arcs));
  std::vector<std::vector<Seen>> got(4);
  for (AgentId a = 0; a < 4; ++a) world.spawn(a, exchange_counts(world.agent(a), rounds, got[a]));
  world.run();
  // A round of an agent is over when the last message has come that others sent after their round before.
  std::vector<std::int64_t> over(4, 0);
  std::vector<std::size_t> taken(4, 0);
  for (int k = 1; k <= rounds; ++k) {
    std::vector<std::int64_t> next = over;
    for (const LinkSpec& one : arcs) next[one.to] = std::max(next[one.to], over[one.from] + one.latency.ns());
    over = next;
    for (AgentId a = 0; a < 4; ++a)
      for (AgentId from = 0; from < 4; ++from)
        if (world.sim.network().find(from, a) != no_link)
          CHECK(got[a].at(taken[a]++) == Seen{at(over[a]), from, from + 100.0 * k, 0});
  }
  for (AgentId a = 0; a < 4; ++a) CHECK(got[a].size() == taken[a]);
  CHECK(world.ledger.total().messages_sent == 5 * rounds);
  CHECK(world.ledger.total().messages_received == 5 * rounds);
}

TEST_CASE("A sum over one-way links has exactly the vectors of the in-neighbors") {
  for (const Index size : {Index{1}, Index{700}}) {
    const Network network =
        digraph(4, {arc(0, 1, 3), arc(1, 2, 1), arc(2, 3, 2), arc(3, 0, 9), arc(0, 2, 4), arc(3, 1, 1)});
    World world(network);
    std::vector<Vector> sums(4);
    for (AgentId a = 0; a < 4; ++a) world.spawn(a, sum_of_heard(world.agent(a), size, sums[a]));
    world.run();
    CHECK(sums[0] == Vector::Constant(size, 8));
    CHECK(sums[1] == Vector::Constant(size, 1 + 8));
    CHECK(sums[2] == Vector::Constant(size, 1 + 2));
    CHECK(sums[3] == Vector::Constant(size, 4));
  }
}

TEST_CASE("An agent without in-neighbors continues at once, and one without out-neighbors still waits") {
  World world(digraph(2, {arc(0, 1, 7)}));
  std::vector<std::vector<Seen>> got(2);
  for (AgentId a = 0; a < 2; ++a) world.spawn(a, exchange_counts(world.agent(a), 5, got[a]));
  world.run();
  CHECK(got[0].empty());
  REQUIRE(got[1].size() == 5);
  for (int k = 1; k <= 5; ++k) CHECK(got[1][static_cast<std::size_t>(k - 1)] == Seen{at(7), 0, 100.0 * k, 0});
  CHECK(world.ledger.agent(1).messages_sent == 0);
}

TEST_CASE("Exchanges that may go on without a message know whom an agent hears by one-way links") {
  // Agent 1 hears 0 at 5 ns and 2 at 90 ns, which is after its deadline.
  SimulationOptions options;
  options.model.missing = {.kind = MissingNeighborKind::skip, .deadline = span(20)};
  World world(digraph(3, {arc(0, 1, 5), arc(1, 2, 1), arc(2, 0, 2), arc(2, 1, 90)}), options);
  std::vector<std::vector<Seen>> got(3);
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, exchange_counts(world.agent(a), 1, got[a]));
  world.run();
  CHECK(got[0] == std::vector<Seen>{{at(2), 2, 102, 0}});
  CHECK(got[1] == std::vector<Seen>{{at(20), 0, 100, 0}});
  CHECK(got[2] == std::vector<Seen>{{at(1), 1, 101, 0}});
  CHECK(world.agent(1).absent().size() == 1);
  CHECK(world.agent(1).absent()[0] == 1);  // the second one that it hears
}

TEST_CASE("A deadlock names the in-neighbors, not the out-neighbors") {
  World world(directed_ring({1, 1, 1}));
  std::vector<Seen> got;
  world.spawn(1, exchange_counts(world.agent(1), 1, got));
  CHECK_THROWS_WITH(world.run(), Catch::Contains("exchange 1 with agents 0"));
}

TEST_CASE("Collecting works from in-neighbors, and sending needs a link") {
  World world(digraph(3, {arc(0, 2, 1), arc(1, 2, 2)}));
  std::vector<Seen> got;
  world.spawn(0, tell_neighbors(world.agent(0)));
  world.spawn(1, tell_neighbors(world.agent(1)));
  world.spawn(2, collect_from(world.agent(2), {0, 1}, got));
  world.run();
  CHECK(got == std::vector<Seen>{{at(2), 0, 0, 0}, {at(2), 1, 1, 0}});
  World other(directed_ring({1, 1, 1}));
  other.spawn(1, sleep_then_send(other.agent(1), span(1), 0, 0, 1));
  CHECK_THROWS_WITH(other.run(), Catch::Contains("no link to agent 0"));
}

TEST_CASE("Runs over one-way links are the same on any number of threads", "[threads]") {
  const auto hash = [](unsigned threads) {
    SimulationOptions options;
    options.threads = threads;
    World world(directed_ring({3, 1, 20, 5, 1}), options);
    std::vector<Vector> sums(5);
    for (AgentId a = 0; a < 5; ++a) world.spawn(a, sum_of_heard(world.agent(a), 4000, sums[a]));
    world.run();
    return std::pair(world.trace.hash(), sums);
  };
  const auto one = hash(1);
  for (const unsigned threads : {2u, 4u}) CHECK(hash(threads) == one);
}

}  // namespace lagnet::agent_one_way_test
