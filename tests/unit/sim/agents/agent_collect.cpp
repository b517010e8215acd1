#include <catch2/catch.hpp>
#include <vector>

#include "sim/agents/agent.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_collect_test {

using namespace lagnet::test;

namespace {

struct Wanted {
  Round round = 0;
  std::vector<AgentId> cohort;
  Time deadline = Time::never();
  MessageTag tag = 0;
};

struct Got {
  Time when;
  std::vector<Seen> messages;
};

/// Collects one round after another.
Task<> collect_all(Agent& me, const std::vector<Wanted>& wanted, std::vector<Got>& got) {
  for (const Wanted& want : wanted) {
    const auto messages = co_await me.collect(want.round, want.cohort, want.deadline, want.tag);
    Got one{me.now(), {}};
    for (const Message& message : messages) one.messages.push_back(seen(me.now(), message));
    got.push_back(one);
  }
}

Task<> sleep_then_collect(Agent& me, Duration wait, const std::vector<Wanted>& wanted, std::vector<Got>& got) {
  co_await me.sleep(wait);
  co_await collect_all(me, wanted, got);
}

struct Sending {
  AgentId from;
  std::int64_t leaves_ns;
  Round round = 0;
  double value = 0;
  MessageTag tag = 0;
};

Task<> send_all(Agent& me, const std::vector<Sending>& sendings) {
  for (const Sending& one : sendings) {
    if (one.from != me.id()) continue;
    co_await me.sleep(at(one.leaves_ns) - me.now());
    me.send(0, one.round, scalar(one.value), one.tag);
  }
}

std::vector<AgentId> senders(const Got& got) {
  std::vector<AgentId> ids;
  for (const Seen& one : got.messages) ids.push_back(one.from);
  return ids;
}

/// Agent 0 in the middle of a star of latency 10 ns collects what the others send.
struct Collecting {
  Collecting(AgentId clients, std::vector<Wanted> w, std::vector<Sending> s, std::int64_t busy_until_ns = 0)
      : world(clients + 1, star(std::vector<std::int64_t>(clients, 10))), wanted(std::move(w)), sendings(std::move(s)) {
    world.spawn(0, sleep_then_collect(world.agent(0), span(busy_until_ns), wanted, got));
    for (AgentId a = 1; a <= clients; ++a) world.spawn(a, send_all(world.agent(a), sendings));
  }
  World world;
  std::vector<Wanted> wanted;
  std::vector<Sending> sendings;
  std::vector<Got> got;
};

using Ids = std::vector<AgentId>;

}  // namespace

TEST_CASE("A collection ends with the last answer of the cohort, and is in the order of the senders") {
  Collecting c(3, {{.cohort = {3, 1, 2}}}, {{1, 50, 0, 1.5}, {2, 20, 0, 2.5}, {3, 30, 0, 3.5}});
  c.world.run();
  REQUIRE(c.got.size() == 1);
  CHECK(c.got[0].when == at(60));
  CHECK(c.got[0].messages == std::vector<Seen>{{at(60), 1, 1.5}, {at(60), 2, 2.5}, {at(60), 3, 3.5}});
  CHECK(c.world.ledger.agent(0).late == 0);
  CHECK(c.world.ledger.agent(0).idle == span(60));
}

TEST_CASE("At its deadline a collection returns the answers so far; the rest is late and dropped") {
  Collecting c(3, {{.cohort = {1, 2, 3}, .deadline = at(45)}}, {{1, 50}, {2, 20}, {3, 30}});
  c.world.run();
  REQUIRE(c.got.size() == 1);
  CHECK(c.got[0].when == at(45));
  CHECK(senders(c.got[0]) == Ids{2, 3});
  // The main coroutines end at 50 ns; the late one comes at 60.
  CHECK(c.world.ledger.agent(0).late == 0);

  Collecting longer(3, {{.cohort = {1, 2, 3}, .deadline = at(45)}}, {{1, 50}, {2, 20}, {3, 30}, {3, 200, 5}});
  longer.world.run();
  CHECK(longer.world.ledger.agent(0).late == 1);
  CHECK(longer.world.ledger.total().late == 1);
}

TEST_CASE("A message exactly at the deadline is in, one a nanosecond later is not") {
  Collecting exact(2, {{.cohort = {1, 2}, .deadline = at(60)}}, {{1, 20}, {2, 50}});
  exact.world.run();
  CHECK(exact.got.at(0).when == at(60));
  CHECK(senders(exact.got[0]) == Ids{1, 2});

  Collecting after(2, {{.cohort = {1, 2}, .deadline = at(59)}}, {{1, 20}, {2, 50}});
  after.world.run();
  CHECK(after.got.at(0).when == at(59));
  CHECK(senders(after.got[0]) == Ids{1});
}

TEST_CASE("A collection without a message before its deadline is empty") {
  Collecting c(1, {{.cohort = {1}, .deadline = at(5)}}, {{1, 0}});
  c.world.run();
  CHECK(c.got.at(0).when == at(5));
  CHECK(c.got[0].messages.empty());
}

TEST_CASE("An empty cohort is complete at once") {
  Collecting c(1, {{.cohort = {}}}, {});
  c.world.run();
  CHECK(c.got.at(0).when == at(0));
  CHECK(c.got[0].messages.empty());
}

TEST_CASE("A deadline in the past returns the present answers, without waiting") {
  Collecting c(2, {{.cohort = {1, 2}, .deadline = at(30)}}, {{1, 5}, {2, 70}}, 40);
  c.world.run();
  CHECK(c.got.at(0).when == at(40));
  CHECK(senders(c.got[0]) == Ids{1});
}

TEST_CASE("Answers from before the collection are in it") {
  Collecting c(2, {{.cohort = {1, 2}}}, {{1, 5}, {2, 70}}, 40);
  c.world.run();
  CHECK(c.got.at(0).when == at(80));
  CHECK(senders(c.got[0]) == Ids{1, 2});
}

TEST_CASE("A message of a later round waits for its collection, one of an earlier round is late") {
  Collecting c(2, {{.round = 1, .cohort = {1, 2}}, {.round = 2, .cohort = {1, 2}}},
               {{1, 10, 2, 12}, {1, 20, 0, 10}, {1, 30, 1, 11}, {2, 50, 1, 21}, {2, 60, 2, 22}});
  c.world.run();
  REQUIRE(c.got.size() == 2);
  CHECK(c.got[0].messages == std::vector<Seen>{{at(60), 1, 11, -1}, {at(60), 2, 21, -1}});
  CHECK(c.got[1].messages == std::vector<Seen>{{at(70), 1, 12, -2}, {at(70), 2, 22, -2}});
  CHECK(c.world.ledger.agent(0).late == 1);
}

TEST_CASE("A message of the round from outside the cohort is late") {
  Collecting c(3, {{.cohort = {1, 3}}}, {{1, 10}, {2, 20}, {3, 30}});
  c.world.run();
  CHECK(senders(c.got.at(0)) == Ids{1, 3});
  CHECK(c.world.ledger.agent(0).late == 1);
}

TEST_CASE("Collections of different tags don't see each other's messages") {
  Collecting c(1, {{.cohort = {1}, .tag = 8}, {.cohort = {1}, .tag = 9}}, {{1, 10, 0, 90, 9}, {1, 20, 0, 80, 8}});
  c.world.run();
  REQUIRE(c.got.size() == 2);
  CHECK(c.got[0].messages == std::vector<Seen>{{at(30), 1, 80}});
  CHECK(c.got[1].messages == std::vector<Seen>{{at(30), 1, 90}});
  CHECK(c.world.ledger.agent(0).late == 0);
}

TEST_CASE("The deadline of a collection that was complete before it does not end the next one") {
  // Round 0 is complete at 20 ns, before its deadline of 50; round 1 has none and waits until 110.
  Collecting c(1, {{.round = 0, .cohort = {1}, .deadline = at(50)}, {.round = 1, .cohort = {1}}},
               {{1, 10, 0}, {1, 100, 1}});
  c.world.run();
  REQUIRE(c.got.size() == 2);
  CHECK(c.got[0].when == at(20));
  CHECK(c.got[1].when == at(110));
  CHECK(senders(c.got[1]) == Ids{1});
}

TEST_CASE("An agent that sends twice does not replace another one of the cohort") {
  Collecting waiting(2, {{.cohort = {1, 2}}}, {{1, 10, 0, 1}, {1, 20, 0, 2}, {2, 50, 0, 3}});
  waiting.world.run();
  CHECK(waiting.got.at(0).messages == std::vector<Seen>{{at(60), 1, 1}, {at(60), 1, 2}, {at(60), 2, 3}});

  Collecting busy(2, {{.cohort = {1, 2}}}, {{1, 10, 0, 1}, {1, 11, 0, 2}, {1, 12, 0, 4}, {2, 50, 0, 3}}, 30);
  busy.world.run();
  CHECK(busy.got.at(0).when == at(60));
  CHECK(senders(busy.got[0]) == Ids{1, 1, 1, 2});
}

TEST_CASE("A collection waits once for an agent listed twice") {
  Collecting c(2, {{.cohort = {2, 1, 2}}}, {{1, 10}, {2, 20}});
  c.world.run();
  CHECK(c.got.at(0).when == at(30));
  CHECK(senders(c.got[0]) == Ids{1, 2});
}

TEST_CASE("A cohort with an agent that has no link here is refused") {
  Collecting c(2, {{.cohort = {1, 7}}}, {{1, 10}});
  CHECK_THROWS_WITH(c.world.run(), "agent 0 at 0 ns: no link from agent 7 of the cohort");
}

TEST_CASE("An agent whose cohort was refused can go on with another one") {
  World world(3, star({10, 20}));
  std::vector<std::size_t> answers;
  const auto server = [&](Agent& me) -> Task<> {
    const std::vector<AgentId> second{2}, strangers{1, 7}, first{1};
    co_await me.collect(1, second);
    try {
      co_await me.collect(2, strangers);
    } catch (const std::invalid_argument&) {
      answers.push_back(0);
    }
    const auto taken = co_await me.collect(2, first);
    answers.push_back(taken.size());
  };
  world.spawn(0, server(world.agent(0)));
  world.spawn(1, sleep_then_send(world.agent(1), span(100), 0, 2, 1.0));
  world.spawn(2, sleep_then_send(world.agent(2), span(0), 0, 1, 1.0));
  CHECK(world.run().reason == EndReason::finished);
  CHECK(answers == std::vector<std::size_t>{0, 1});
}

}  // namespace lagnet::agent_collect_test
