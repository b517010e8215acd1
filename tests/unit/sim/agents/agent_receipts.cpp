#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "sim/agents/agent.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_receipts_test {

using namespace lagnet::test;

namespace {

/// Sends to all neighbors and waits until the last of these messages has come.
Task<> send_and_wait(Agent& me, std::vector<Time>& went_on) {
  for (const AgentId to : me.neighbors()) me.send_with_receipt(to, 0, scalar(1));
  co_await me.arrivals();
  went_on.push_back(me.now());
  me.report(0);
}

Task<> wait_for_nothing(Agent& me, std::vector<Time>& went_on) {
  co_await me.arrivals();
  went_on.push_back(me.now());
}

Task<> answer(Agent& me) {
  co_await me.receive();
  me.send(0, 0, scalar(2));
}

Task<> stay(Agent& me) { co_await me.receive(); }

}  // namespace

TEST_CASE("An agent that waits for arrivals goes on with the last one, whatever the receivers do") {
  World world(4, star({300, 700, 500}));
  std::vector<Time> went_on;
  world.spawn(0, send_and_wait(world.agent(0), went_on));
  world.spawn_daemon(1, answer(world.agent(1)));
  world.spawn_daemon(2, only_sleep(world.agent(2), span(10'000)));
  world.spawn_daemon(3, stay(world.agent(3)));
  world.run();
  CHECK(went_on == std::vector<Time>{at(700)});
}

TEST_CASE("A receipt costs nothing, and later events are consequences of the message") {
  World world(2, line({300}));
  std::vector<Time> went_on;
  world.spawn(0, send_and_wait(world.agent(0), went_on));
  world.spawn_daemon(1, stay(world.agent(1)));
  world.run();
  CHECK(world.log.times(EventKind::sent).size() == 1);
  CHECK(world.log.times(EventKind::delivered).size() == 1);
  std::vector<std::int64_t> hops;
  for (const SimEvent& what : world.log.all)
    if (what.what == EventKind::reported) hops.push_back(what.amount);
  CHECK(hops == std::vector<std::int64_t>{1});
}

TEST_CASE("Waiting for no arrivals ends at once") {
  World world(1, {});
  std::vector<Time> went_on;
  world.spawn(0, wait_for_nothing(world.agent(0), went_on));
  world.run();
  CHECK(went_on == std::vector<Time>{at(0)});
}

TEST_CASE("The receipt of a message that is lost is waited for in vain") {
  World world(2, line({300}), {.model = {.faults = {std::make_shared<IndependentLoss>(1)}}});
  std::vector<Time> went_on;
  world.spawn(0, send_and_wait(world.agent(0), went_on));
  world.spawn_daemon(1, stay(world.agent(1)));
  CHECK_THROWS_WITH(world.run(), Catch::Contains("agent 0 waits for the arrival of 1 of its messages"));
}

TEST_CASE("A receipt that comes while the agent is down is noticed when it is up") {
  World world(2, line({300}),
              {.model = {.availability = without(2, {{.agent = 0, .from = at(200), .until = at(900)}})}});
  std::vector<Time> went_on;
  world.spawn(0, send_and_wait(world.agent(0), went_on));
  world.spawn_daemon(1, stay(world.agent(1)));
  world.run();
  CHECK(went_on == std::vector<Time>{at(900)});
  CHECK(world.ledger.agent(0).idle == span(200));
  CHECK(world.ledger.agent(0).away == span(700));
}

TEST_CASE("The receipt of a message from before a crash is ignored") {
  // Sent at 0, lost with the state at 100, sent again at 200: the first message comes at 300, the second one at 500.
  const CrashPlan plan{.agent = 0, .at = at(100), .recovers_after = span(100), .loses_state = true};
  World world(2, line({300}), {.model = {.availability = available(2, std::make_shared<Crash>(plan))}});
  std::vector<Time> went_on;
  world.sim.spawn(0, [&](Agent& me) { return send_and_wait(me, went_on); });
  world.spawn_daemon(1, stay(world.agent(1)));
  world.run();
  CHECK(world.log.times(EventKind::delivered) == std::vector<Time>{at(300), at(500)});
  CHECK(went_on == std::vector<Time>{at(500)});
}

}  // namespace lagnet::agent_receipts_test
