#include <catch2/catch.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_crash_test {

using namespace lagnet::test;

namespace {

enum class State { kept, lost };

WorldModel crash(AgentId agents, AgentId agent, std::int64_t at_ns, std::optional<Duration> recovers_after,
                 State state) {
  const CrashPlan plan{
      .agent = agent, .at = at(at_ns), .recovers_after = recovers_after, .loses_state = state == State::lost};
  WorldModel model;
  model.availability = available(agents, std::make_shared<Crash>(plan));
  return model;
}

/// Works in steps of 1000 ns and reports each one.
Task<> work(Agent& me, int steps, std::vector<Time>& begun) {
  begun.push_back(me.now());
  for (Round t = 1; t <= steps; ++t) {
    co_await me.compute(1000);
    me.report(t);
  }
}

/// Collects the answers of a client that is asked anew every 1000 ns; the rounds in which it answered in time.
Task<> ask(Agent& me, Round rounds, std::vector<Round>& answered) {
  const std::vector<AgentId> cohort{1};
  for (Round t = 1; t <= rounds; ++t) {
    me.send(1, t, scalar(1));
    const auto answers = co_await me.collect(t, cohort, at(1000 * t));
    if (!answers.empty()) answered.push_back(t);
    if (me.now() < at(1000 * t)) co_await me.sleep(at(1000 * t) - me.now());
  }
}

Task<> answer(Agent& me, int& served) {
  for (served = 0;;) {
    const Message asked = co_await me.receive();
    co_await me.compute(100);
    ++served;
    me.send(0, asked.round, asked.body);
  }
}

Task<> exchange_rounds(Agent& me, Round rounds) {
  for (Round t = 1; t <= rounds; ++t) {
    const Vector mine = scalar(1);
    co_await me.exchange(mine);
    me.report(t);
  }
}

Task<> wait_for_message(Agent& me) { co_await me.receive(); }

using Times = std::vector<Time>;

Task<> collect_round_1(Agent& me) {
  const std::vector<AgentId> cohort{0};
  co_await me.collect(1, cohort);
}

/// Asks agent 1 in these rounds, one after the other in no time, and collects the answers to the last one.
Task<> ask_once(Agent& me, std::vector<Round> rounds, std::vector<Seen>& answers) {
  for (const Round t : rounds) me.send(1, t, scalar(1));
  const std::vector<AgentId> cohort{1};
  const std::vector<Message> came = co_await me.collect(rounds.back(), cohort);
  for (const Message& one : came) answers.push_back(seen(me.now(), one));
}

/// Answers the newest request each time with how many it has answered.
Task<> answer_newest(Agent& me, Flops flops) {
  for (double served = 1;; ++served) {
    const Message request = co_await me.receive_latest();
    co_await me.compute(flops);
    me.answer(request, scalar(served));
  }
}

}  // namespace

TEST_CASE("After a crash that loses the state the program is called again when the agent is up") {
  World world(1, {}, {.model = crash(1, 0, 2500, span(1700), State::lost)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 4, begun); });
  CHECK(world.run().reason == EndReason::finished);
  CHECK(begun == Times{at(0), at(4200)});
  CHECK(world.log.times(EventKind::restarted, 0) == Times{at(4200)});
  CHECK(world.log.times(EventKind::reported, 0) == Times{at(1000), at(2000), at(5200), at(6200), at(7200), at(8200)});
  std::vector<Round> rounds;
  for (const SimEvent& one : world.log.all)
    if (one.what == EventKind::reported) rounds.push_back(one.round);
  CHECK(rounds == std::vector<Round>{1, 2, 1, 2, 3, 4});  // the rounds, too, from the beginning
}

TEST_CASE("After a crash that keeps the state the agent goes on where it was, and was away meanwhile") {
  World world(1, {}, {.model = crash(1, 0, 2500, span(1700), State::kept)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 4, begun); });
  world.run();
  CHECK(begun == Times{at(0)});
  CHECK(world.log.times(EventKind::reported, 0) == Times{at(1000), at(2000), at(4700), at(5700)});
  CHECK(world.ledger.agent(0).away == span(1700));
  CHECK(world.ledger.agent(0).computing == span(4000));
  CHECK(world.log.times(EventKind::restarted, 0).empty());
}

TEST_CASE("An agent whose crash keeps it from its start has been away until then") {
  World world(1, {}, {.model = crash(1, 0, 0, span(1700), State::lost)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 1, begun); });
  world.run();
  CHECK(world.log.times(EventKind::restarted, 0) == Times{at(1700)});
  CHECK(world.log.times(EventKind::reported, 0) == Times{at(2700)});
  CHECK(world.ledger.agent(0).away == span(1700));
  CHECK(world.ledger.agent(0).computing == span(1000));
  CHECK(world.ledger.agent(0).idle == span(0));
}

TEST_CASE("A crash after the end of the program changes nothing") {
  World world(2, {}, {.model = crash(2, 0, 1500, span(100), State::lost)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 1, begun); });
  world.spawn(1, only_sleep(world.agent(1), span(9000)));
  CHECK(world.run().last_event == at(9000));
  CHECK(begun == Times{at(0)});
}

TEST_CASE("An agent with only a task ends with a crash that loses its state") {
  World world(2, {}, {.model = crash(2, 0, 1500, span(1000), State::lost)});
  Times begun;
  world.spawn(0, work(world.agent(0), 9, begun));
  world.spawn(1, only_sleep(world.agent(1), span(4000)));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::finished);
  CHECK(ending.last_event == at(4000));
  CHECK(world.log.times(EventKind::reported, 0) == Times{at(1000)});
}

TEST_CASE("A daemon with only a task stays away after a crash that loses its state") {
  World world(2, {}, {.model = crash(2, 0, 1500, span(1000), State::lost)});  // back at 2500, long before the end
  Times begun;
  world.spawn_daemon(0, work(world.agent(0), 2, begun));
  world.spawn(1, only_sleep(world.agent(1), span(9000)));
  world.run();
  CHECK(begun == Times{at(0)});
  CHECK(world.log.times(EventKind::reported, 0) == Times{at(1000)});
}

TEST_CASE("A computation that a crash cuts off counts as far as it came, and the time down after it") {
  // The first computation takes 1000 ns; the second begins at 1000, ends for ever at 1500, and the agent is back at
  // 1900.
  World world(1, {}, {.model = crash(1, 0, 1500, span(400), State::lost)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 2, begun); });
  world.run();
  CHECK(begun == Times{at(0), at(1900)});
  CHECK(world.ledger.agent(0).computing == span(1000 + 500 + 2000));
  CHECK(world.ledger.agent(0).away == span(400));
  CHECK(world.ledger.total().computing == world.ledger.agent(0).computing);
}

TEST_CASE("The account of a computation with an outage has the finished work and the time away") {
  // 1000 ns of work from 1000 on. Down for 1700 from 1500 on, so that it ends at 3700; or from 2000 on, when it ends,
  // so that the next begins at 3700. The run ends before, in or after the outage.
  struct Expected {
    std::int64_t down, end, computing, away;
  };
  for (const auto& [down, end, computing, away] :
       {Expected{1500, 1300, 1300, 0}, Expected{1500, 2000, 1500, 500}, Expected{1500, 3400, 1700, 1700},
        Expected{1500, 3700, 2000, 1700}, Expected{2000, 1999, 1999, 0}, Expected{2000, 2000, 2000, 0},
        Expected{2000, 3000, 2000, 1000}, Expected{2000, 4000, 2300, 1700}}) {
    World world(1, {}, {.end = at(end), .model = crash(1, 0, down, span(1700), State::kept)});
    Times begun;
    world.sim.spawn(0, [&](Agent& me) { return work(me, 4, begun); });
    world.run();
    CAPTURE(down, end);
    const AgentAccount then = world.ledger.agent_at(0, at(end));
    CHECK(then.computing == span(computing));
    CHECK(then.away == span(away));
    world.ledger.end_at(at(end));
    CHECK(world.ledger.agent(0).computing == span(computing));
    CHECK(world.ledger.agent(0).away == span(away));
  }
}

TEST_CASE("The account of an agent that never recovers has its work and its time away") {
  World world(2, {}, {.model = crash(2, 0, 1500, {}, State::kept)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 4, begun); });
  world.spawn(1, only_sleep(world.agent(1), span(9000)));
  CHECK(world.run().last_event == at(9000));
  world.ledger.end_at(at(9000));
  CHECK(world.ledger.agent(0).computing == span(1500));
  CHECK(world.ledger.agent(0).away == span(7500));
}

TEST_CASE("An answer to a request from before a state-losing crash is too late") {
  // Asked at 0, agent 1 computes from 100 to 500. Agent 0 is down from 150 to 250, then asks anew: in the same round.
  World world(2, line({100}), {.model = crash(2, 0, 150, span(100), State::lost)});
  std::vector<Seen> answers;
  const std::vector<Round> rounds{1};
  world.sim.spawn(0, [&](Agent& me) { return ask_once(me, rounds, answers); });
  world.spawn_daemon(1, answer_newest(world.agent(1), 400));
  world.run();
  CHECK(answers == std::vector{Seen{at(1000), 1, 2}});  // the first answer came at 600
  CHECK(world.ledger.agent(0).late == 1);
}

TEST_CASE("Requests from before a crash are older than later ones, in any round") {
  // Agent 1 gets rounds 1 to 5 at 100 and, at 320, round 1 again; then it takes the newest.
  World world(2, line({100}), {.model = crash(2, 0, 120, span(100), State::lost)});
  std::vector<Seen> answers;
  bool is_first = true;
  world.sim.spawn(0, [&](Agent& me) {
    return ask_once(me, std::exchange(is_first, false) ? std::vector<Round>{1, 2, 3, 4, 5} : std::vector<Round>{1},
                    answers);
  });
  const auto busy_first = [](Agent& me) -> Task<> {
    co_await me.compute(1000);
    co_await answer_newest(me, 10);
  };
  world.spawn_daemon(1, busy_first(world.agent(1)));
  world.run();
  CHECK(answers == std::vector{Seen{at(1110), 1, 1}});
  CHECK(world.ledger.agent(1).superseded == 5);
}

TEST_CASE("A wait that a crash cuts off is in the account, and mail that it takes is superseded") {
  // Agent 1 waits from 0 for a second message that comes too late: up until 500, down until 900.
  World world(2, line({100}), {.model = crash(2, 1, 500, span(400), State::lost)});
  world.sim.spawn(1, [](Agent& me) { return collect_round_1(me); });
  world.spawn(0, sleep_then_send(world.agent(0), span(0), 1, 7, 1.0));  // of another round: kept in the mail
  CHECK_THROWS(world.run());                                            // round 1 never comes
  CHECK(world.ledger.agent(1).idle == span(500));
  CHECK(world.ledger.agent(1).away == span(400));
  CHECK(world.ledger.agent(1).superseded == 1);
}

TEST_CASE("When all agents are gone for good before one has finished, the run says so") {
  World world(1, {}, {.model = crash(1, 0, 2500, {}, State::lost)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 9, begun); });
  CHECK(world.run().reason == EndReason::gone);
}

TEST_CASE("Messages to an agent that is down are lost, and answered again when it is back") {
  // Questions are sent at 0, 1000, ..., come 100 later and are answered 200 after that. Down from 2050 to 4050: the
  // questions of rounds 3 and 4 find nobody.
  for (const State state : {State::kept, State::lost}) {
    World world(2, line({100}), {.model = crash(2, 1, 2050, span(2000), state)});
    std::vector<Round> answered;
    int served = 0;
    world.spawn(0, ask(world.agent(0), 6, answered));
    world.sim.spawn(
        1, [&](Agent& me) { return answer(me, served); }, Simulation::Role::daemon);
    world.run();
    CHECK(answered == std::vector<Round>{1, 2, 5, 6});
    CHECK(served == (state == State::kept ? 4 : 2));  // a lost count begins at 0
    CHECK(world.log.times(EventKind::lost, 0) == Times{at(2100), at(3100)});
    CHECK(world.ledger.agent(0).messages_lost == 2);
    CHECK(world.ledger.agent(0).dropped == 2);
  }
}

TEST_CASE("A message that had come before the crash is lost with the state") {
  // The question of round 3 comes at 2100, the answer would leave at 2200; down from 2150 to 2400.
  for (const State state : {State::kept, State::lost}) {
    World world(2, line({100}), {.model = crash(2, 1, 2150, span(250), state)});
    std::vector<Round> answered;
    int served = 0;
    world.spawn(0, ask(world.agent(0), 4, answered));
    world.sim.spawn(
        1, [&](Agent& me) { return answer(me, served); }, Simulation::Role::daemon);
    world.run();
    const bool kept = state == State::kept;
    CHECK(answered == (kept ? std::vector<Round>{1, 2, 3, 4} : std::vector<Round>{1, 2, 4}));
    // kept: the answer leaves at 2450, by as much later as the agent was down
    CHECK(world.ledger.agent(1).away == span(250));
    CHECK(world.log.times(EventKind::delivered, 0).size() == (kept ? 4 : 3));
    if (kept) CHECK(world.log.times(EventKind::delivered, 0).at(2) == at(2550));
  }
}

TEST_CASE("Timers and deadlines that end while the agent is down are postponed to its return") {
  WorldModel model = crash(2, 0, 500, span(4000), State::kept);
  World sleeping(2, line({100}), {.model = model});
  const auto sleep = [](Agent& me) -> Task<> {
    co_await me.sleep(span(600));
    me.report(1);
  };
  sleeping.spawn(0, sleep(sleeping.agent(0)));
  CHECK(sleeping.run().last_report == at(4600));  // 500 slept before, 100 after
  CHECK(sleeping.ledger.agent(0).sleeping == span(600));
  CHECK(sleeping.ledger.agent(0).away == span(4000));

  World collecting(2, line({100}), {.model = model});
  const auto collect = [](Agent& me) -> Task<> {
    const std::vector<AgentId> cohort{1};
    co_await me.collect(1, cohort, at(600));
    me.report(1);
  };
  collecting.spawn(0, collect(collecting.agent(0)));
  CHECK(collecting.run().last_report == at(4500));  // the deadline has passed when the agent is back
}

TEST_CASE("An agent that is down at the start begins when it is up") {
  WorldModel model;
  model.availability = without(1, {{.agent = 0, .from = at(0), .until = at(700)}});
  World world(1, {}, {.model = model});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 1, begun); });
  world.run();
  CHECK(begun == Times{at(700)});
}

TEST_CASE("When all agents that could go on are gone for good, the run has ended") {
  World world(3, line({100, 100}), {.model = crash(3, 0, 2500, {}, State::lost)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 9, begun); });
  world.spawn(1, only_sleep(world.agent(1), span(5200)));
  world.spawn_daemon(2, wait_for_message(world.agent(2)));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::finished);
  CHECK(ending.last_report == at(2000));
  CHECK(ending.last_event == at(5200));
}

TEST_CASE("An agent that waits for one that is gone for good is in a deadlock") {
  World world(2, line({100}), {.model = crash(2, 0, 2500, {}, State::kept)});
  Times begun;
  world.sim.spawn(0, [&](Agent& me) { return work(me, 9, begun); });
  world.spawn(1, wait_for_message(world.agent(1)));
  CHECK_THROWS_WITH(world.run(), Catch::Contains("agent 1 waits for any message"));
}

TEST_CASE("Neighbors that wait for every message deadlock with a restarted agent") {
  // On a line of three agent 1 crashes during its third exchange and begins with its first, which is not sent again.
  World world(3, line({100, 100}), {.model = crash(3, 1, 250, span(1000), State::lost)});
  for (AgentId a = 0; a < 3; ++a) world.sim.spawn(a, [](Agent& me) { return exchange_rounds(me, 9); });
  CHECK_THROWS_WITH(world.run(),
                    "deadlock at 1350 ns: no event is left and 3 agents still wait\n"
                    "  agent 0 waits for exchange 1 of round 4 with agents 1\n"
                    "  agent 1 waits for exchange 1 of round 0 with agents 0, 2\n"
                    "  agent 2 waits for exchange 1 of round 4 with agents 1");
}

}  // namespace lagnet::agent_crash_test
