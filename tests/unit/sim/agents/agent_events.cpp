#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/agents/agent.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_events_test {

using namespace lagnet::test;

namespace {

constexpr MessageTag tagged = 7;

struct Step {
  Time when;
  AgentEvent::Kind kind = AgentEvent::Kind::time;
  double value = 0;  // of a message
  bool operator==(const Step&) const = default;
};

Step step_of(const Agent& me, const AgentEvent& event) {
  const bool is_message = event.kind == AgentEvent::Kind::message;
  return {me.now(), event.kind, is_message ? event.message.body.data()[0] : 0};
}

/// Computes the given flops and notes what comes first until the end of it; then computes until that time again.
Task<> serve(Agent& me, Flops flops, Time until, std::vector<Step>& steps, double& result) {
  double drawn = 0;
  auto kernel = [&] { drawn = 42; };
  me.start(0, flops, kernel);
  for (;;) {
    const AgentEvent event = co_await me.next_event();
    steps.push_back(step_of(me, event));
    if (event.kind == AgentEvent::Kind::finished) break;
  }
  result = drawn;
  const AgentEvent last = co_await me.next_event(until);
  steps.push_back(step_of(me, last));
}

}  // namespace

using Kind = AgentEvent::Kind;

TEST_CASE("An agent serves while it computes, and takes the result when the time of the computation is over",
          "[threads]") {
  for (const unsigned threads : {1U, 2U}) {
    World world(2, line({100}), {.threads = threads});
    std::vector<Step> steps;
    double result = 0;
    world.spawn(0, serve(world.agent(0), 1000, at(2000), steps, result));
    world.spawn(1,
                send_at(world.agent(1), {{.at_ns = 200, .to = 0}, {.at_ns = 700, .to = 0}, {.at_ns = 950, .to = 0}}));
    world.run();
    // One flop takes 1 ns, and a message 100 ns.
    CHECK(steps == std::vector<Step>{{at(300), Kind::message, 0},
                                     {at(800), Kind::message, 1},
                                     {at(1000), Kind::finished, 0},
                                     {at(1050), Kind::message, 2}});
    CHECK(result == 42);
    const AgentAccount account = world.ledger.agent(0);
    CHECK(account.computing == span(1000));
    CHECK(account.idle == span(50));  // it computed while it waited for the first two
  }
}

TEST_CASE("A message at the instant of a computation's end comes before it, and the time last") {
  World world(2, line({100}));
  std::vector<Step> steps;
  double result = 0;
  world.spawn(0, serve(world.agent(0), 1000, at(1000), steps, result));
  world.spawn(1, send_at(world.agent(1), {{.at_ns = 900, .to = 0}}));
  world.run();
  CHECK(steps ==
        std::vector<Step>{{at(1000), Kind::message, 0}, {at(1000), Kind::finished, 0}, {at(1000), Kind::time, 0}});
}

TEST_CASE("A second computation during another one is an internal error") {
  World world(1, {});
  const auto compute_twice = [](Agent& me) -> Task<> {
    auto kernel = [] {};
    me.start(0, 10, kernel);
    co_await me.compute(10, kernel);
  };
  world.spawn(0, compute_twice(world.agent(0)));
  CHECK_THROWS_AS(world.run(), InternalError);
}

TEST_CASE("A kernel's exception is rethrown when its computation is taken") {
  World world(1, {});
  const auto fail = [](Agent& me) -> Task<> {
    auto kernel = [] { throw std::runtime_error("no result"); };
    me.start(0, 10, kernel);
    co_await me.next_event();
  };
  world.spawn(0, fail(world.agent(0)));
  CHECK_THROWS_WITH(world.run(), Catch::Contains("no result"));
}

TEST_CASE("Receiving up to a time gives the message that comes, or nothing at that time") {
  World world(2, line({100}));
  std::vector<Seen> got;
  std::vector<Time> gave_up;
  const auto receive = [](Agent& me, std::vector<Seen>& messages, std::vector<Time>& in_vain) -> Task<> {
    for (const std::int64_t until : {200, 250, 500}) {
      const std::optional<Message> message = co_await me.receive_until(at(until));
      if (message)
        messages.push_back(seen(me.now(), *message));
      else
        in_vain.push_back(me.now());
    }
  };
  world.spawn(0, receive(world.agent(0), got, gave_up));
  world.spawn(1, send_at(world.agent(1), {{.at_ns = 50, .to = 0}, {.at_ns = 200, .to = 0}}));
  world.run();
  CHECK(got == std::vector<Seen>{{at(150), 1, 0, 0}, {at(300), 1, 1, -1}});
  CHECK(gave_up == std::vector<Time>{at(250)});
}

TEST_CASE("Draining takes all messages of a tag that are there, in order of arrival, and waits for none") {
  World world(3, star({100, 150}));
  std::vector<double> early, of_tag, others;
  const auto drain = [](Agent& me, std::vector<double>& before, std::vector<double>& taken,
                        std::vector<double>& rest) -> Task<> {
    for (const Message& m : me.drain()) before.push_back(m.body.data()[0]);
    co_await me.sleep(span(500));
    for (const Message& m : me.drain(tagged)) taken.push_back(m.body.data()[0]);
    for (const Message& m : me.drain()) rest.push_back(m.body.data()[0]);
  };
  world.spawn(0, drain(world.agent(0), early, of_tag, others));
  world.spawn(1, sleep_then_send(world.agent(1), span(60), 0, 0, 5));
  world.spawn(2, sleep_then_send(world.agent(2), span(0), 0, 0, 6, tagged));
  world.run();
  CHECK(early.empty());
  CHECK(of_tag == std::vector<double>{6});
  CHECK(others == std::vector<double>{5});
}

TEST_CASE("Work at once is counted and takes no time, and leaves a computation under way in the account") {
  World world(1, {});
  const auto work = [](Agent& me) -> Task<> {
    auto kernel = [] {};
    me.start(0, 100, kernel);
    int runs = 0;
    me.at_once(30, [&] { ++runs; });
    CHECK(runs == 1);
    const AgentEvent event = co_await me.next_event(at(40));
    CHECK(event.kind == Kind::time);
    throw std::runtime_error("the run ends here");
  };
  world.spawn(0, work(world.agent(0)));
  CHECK_THROWS(world.run());
  const AgentAccount account = world.ledger.agent_at(0, at(40));
  CHECK(account.flops == 130);
  CHECK(account.computing == span(40));
}

TEST_CASE("The ages of used messages count for their sender") {
  World world(2, line({100}));
  const auto use = [](Agent& me) -> Task<> {
    const Message message = co_await me.receive();
    me.used(message.from, 3);
    me.used(message.from, 0);
    me.used_report(message.from, 2);  // by now it has reported 5
    me.missed(2);
    me.missed(1);
  };
  const auto report = [](Agent& me) -> Task<> {
    me.report(2);
    me.send(0, 2, scalar(1));
    co_await me.sleep(span(50));
    me.report(5);
    co_await me.sleep(span(500));
  };
  world.spawn(0, use(world.agent(0)));
  world.spawn(1, report(world.agent(1)));
  world.run();
  using Ages = std::map<std::int64_t, std::int64_t>;
  CHECK(world.ledger.staleness_of(1) == Ages{{0, 1}, {3, 2}});
  CHECK(world.ledger.staleness_of(0).empty());
  CHECK(world.ledger.staleness() == Ages{{0, 1}, {3, 2}});
  CHECK(world.ledger.agent(0).missed_ticks == 3);
  CHECK(world.ledger.agent(0).stale == 0);
}

TEST_CASE("A crash that loses an agent's state takes its computation and its messages with it") {
  const CrashPlan plan{.agent = 0, .at = at(500), .recovers_after = span(100), .loses_state = true};
  World world(1, {}, {.model = {.availability = available(1, std::make_shared<Crash>(plan))}});
  std::vector<Time> finished;
  world.sim.spawn(0, [&finished](Agent& me) -> Task<> {
    auto kernel = [] {};
    me.start(0, 1000, kernel);
    const AgentEvent event = co_await me.next_event();
    if (event.kind == Kind::finished) finished.push_back(me.now());
  });
  world.run();
  CHECK(finished == std::vector<Time>{at(1600)});
}

}  // namespace lagnet::agent_events_test
