#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <vector>

#include "sim/agents/agent.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_simultaneous_test {

using namespace lagnet::test;

/// A server asks eight clients, and some answers come at one instant.
namespace {

constexpr AgentId clients = 8;
constexpr Round rounds = 2000;

/// Of so many draws with a probability, sums lie within this of their mean but for a chance of 1e-6 in each of a
/// hundred cases: 6 standard deviations.
double bound(double draws, double probability) { return 6 * std::sqrt(draws * probability * (1 - probability)); }

Task<> ask(Agent& me, std::size_t enough, std::map<AgentId, int>& counted) {
  for (Round t = 1; t <= rounds; ++t) {
    Cohort cohort(std::vector<AgentId>(me.neighbors().begin(), me.neighbors().end()));
    cohort.enough = enough;
    me.broadcast(t, scalar(0));
    const std::vector<Message> answers = co_await me.collect(t, std::move(cohort));
    CHECK(answers.size() == enough);
    CHECK(std::ranges::is_sorted(answers, {}, &Message::from));
    for (const Message& one : answers) ++counted[one.from];
  }
}

Task<> answer(Agent& me) {
  for (;;) {
    const Message asked = co_await me.receive();
    me.send(0, asked.round, asked.body);
  }
}

std::map<AgentId, int> counted_of(const std::vector<std::int64_t>& latencies_ns, std::size_t enough,
                                  std::uint64_t seed = 1) {
  World world(clients + 1, star(latencies_ns), {.seed = seed});
  std::map<AgentId, int> counted;
  world.spawn(0, ask(world.agent(0), enough, counted));
  for (AgentId k = 1; k <= clients; ++k) world.spawn_daemon(k, answer(world.agent(k)));
  world.run();
  const std::vector<std::int64_t> answers = world.ledger.answers();
  for (AgentId k = 1; k <= clients; ++k) CHECK(answers[k] == counted[k]);
  CHECK(answers[0] == 0);
  return counted;
}

/// Takes all that comes at one instant, round after round.
Task<> take_all(Agent& me, std::vector<std::vector<AgentId>>& orders) {
  for (Round t = 1; t <= rounds; ++t) {
    me.broadcast(t, scalar(0));
    std::vector<AgentId>& order = orders.emplace_back();
    for (AgentId k = 0; k < clients; ++k) {
      const Message one = co_await me.receive_drawn();
      order.push_back(one.from);
    }
  }
}

}  // namespace

TEST_CASE("Answers of one instant that a count divides are counted equally often") {
  const auto counted = counted_of(std::vector<std::int64_t>(clients, 100), 5);
  for (AgentId k = 1; k <= clients; ++k) {
    CAPTURE(k);
    CHECK(std::abs(counted.at(k) - rounds * 5.0 / 8) < bound(rounds, 5.0 / 8));
  }
  CHECK(counted_of(std::vector<std::int64_t>(clients, 100), 5) == counted);
  CHECK(counted_of(std::vector<std::int64_t>(clients, 100), 5, 2) != counted);
}

TEST_CASE("Answers before the last instant always count, and later ones never") {
  const auto counted = counted_of({100, 90, 80, 100, 100, 110, 100, 120}, 4);  // two of the four at 100
  for (const AgentId k : {2u, 3u}) CHECK(counted.at(k) == rounds);
  for (const AgentId k : {1u, 4u, 5u, 7u}) CHECK(std::abs(counted.at(k) - rounds / 2.0) < bound(rounds, 0.5));
  for (const AgentId k : {6u, 8u}) CHECK(counted.at(k) == 0);
}

TEST_CASE("Nothing is drawn where all answers of the last instant are counted") {
  const auto counted = counted_of({100, 90, 80, 100, 110, 110, 110, 120}, 4);
  for (const AgentId k : {1u, 2u, 3u, 4u}) CHECK(counted.at(k) == rounds);
  for (const AgentId k : {5u, 6u, 7u, 8u}) CHECK(counted.at(k) == 0);
}

TEST_CASE("Messages of one instant are taken in an order drawn for each round, earlier ones first") {
  World world(clients + 1, star({100, 100, 90, 100, 100, 100, 100, 100}));
  std::vector<std::vector<AgentId>> orders;
  world.spawn(0, take_all(world.agent(0), orders));
  for (AgentId k = 1; k <= clients; ++k) world.spawn_daemon(k, answer(world.agent(k)));
  world.run();
  REQUIRE(orders.size() == rounds);
  std::map<AgentId, int> second;
  for (std::vector<AgentId>& order : orders) {
    CHECK(order[0] == 3);
    ++second[order[1]];
    std::ranges::sort(order);
    CHECK(order == std::vector<AgentId>{1, 2, 3, 4, 5, 6, 7, 8});
  }
  for (const AgentId k : {1u, 2u, 4u, 5u, 6u, 7u, 8u})
    CHECK(std::abs(second.at(k) - rounds / 7.0) < bound(rounds, 1.0 / 7));
}

}  // namespace lagnet::agent_simultaneous_test
