#include <catch2/catch.hpp>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sim/base/errors.hpp"
#include "sim/engine/simulation.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::simulation_endings_test {

using namespace lagnet::test;

namespace {

Task<> fail_after(Agent& me, Duration wait) {
  co_await me.sleep(wait);
  throw std::runtime_error("step size is 0");
}

Task<> fail_in_kernel(Agent& me) {
  const auto good = [] {};
  const auto bad = [] { throw std::runtime_error("no pivot"); };
  co_await me.compute(100, good);
  co_await me.compute(50, bad);
}

Task<> survive_kernel(Agent& me, std::string& text) {
  const auto bad = [] { throw std::runtime_error("no pivot"); };
  const auto good = [] {};
  try {
    co_await me.compute(50, bad);
  } catch (const std::runtime_error& error) {
    text = error.what();
  }
  co_await me.compute(50, good);
}

Task<> check_fails(Agent& me) {
  co_await me.sleep(span(1));
  LAGNET_CHECK(me.degree() == 99, "not so many");
}

Task<> collect_in_vain(Agent& me) {
  co_await me.sleep(span(40));
  const std::vector<AgentId> cohort{3, 1, 2};
  co_await me.collect(7, cohort);
}

Task<> exchange_in_vain(Agent& me) {
  const Vector mine = scalar(1);
  co_await me.exchange(mine);
  co_await me.exchange(mine);
}

Task<> receive_in_vain(Agent& me) { co_await me.receive(); }

Task<> report_and_stop(Agent& me, Simulation& sim, int rounds, std::vector<int>& steps) {
  for (Round t = 0; t < rounds; ++t) {
    co_await me.sleep(span(10));
    if (t == 2) sim.stop();
    steps.push_back(static_cast<int>(t));  // the coroutine that stops the run goes on to its next wait
    me.report(t);
  }
}

Task<> tick(Agent& me, std::vector<Time>& times) {
  for (;;) {
    co_await me.sleep(span(10));
    times.push_back(me.now());
  }
}

Task<> compute_once(Agent& me, Flops flops, bool& ran) {
  const auto kernel = [&ran] {
    volatile double work = 0;  // long enough to be still at work when the other agent ends the run
    for (int i = 0; i < 5'000'000; ++i) work = work + 1;
    ran = true;
  };
  co_await me.compute(flops, kernel);
}

Task<> stop_after(Agent& me, Simulation& sim, Duration wait) {
  co_await me.sleep(wait);
  sim.stop();
}

std::string what_run_throws(World& world) {
  try {
    world.run();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("An exception in a coroutine becomes an AgentError with agent and time") {
  World world(3, {});
  world.spawn(1, only_sleep(world.agent(1), span(500)));
  world.spawn(2, fail_after(world.agent(2), span(123)));
  try {
    world.run();
    FAIL("nothing was thrown");
  } catch (const AgentError& error) {
    CHECK(std::string(error.what()) == "agent 2 at 123 ns: step size is 0");
    CHECK(error.agent == 2);
    CHECK(error.at == at(123));
  }
}

TEST_CASE("A daemon's exception ends the run like another's") {
  World world(2, {});
  world.spawn(0, only_sleep(world.agent(0), span(500)));
  world.spawn_daemon(1, fail_after(world.agent(1), span(5)));
  CHECK(what_run_throws(world) == "agent 1 at 5 ns: step size is 0");
}

TEST_CASE("A kernel's exception comes at the end of its simulated time, on any number of threads", "[threads]") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    World world(2, {}, {.threads = threads});
    world.spawn(1, fail_in_kernel(world.agent(1)));
    CHECK(what_run_throws(world) == "agent 1 at 150 ns: no pivot");
  }
}

TEST_CASE("A coroutine can catch its kernel's exception and continue", "[threads]") {
  for (const unsigned threads : {1u, 2u}) {
    World world(1, {}, {.threads = threads});
    std::string text;
    world.spawn(0, survive_kernel(world.agent(0), text));
    CHECK(world.run().last_event == at(100));
    CHECK(text == "no pivot");
  }
}

TEST_CASE("A broken invariant passes through as InternalError") {
  World world(1, {});
  world.spawn(0, check_fails(world.agent(0)));
  CHECK_THROWS_AS(world.run(), InternalError);
}

TEST_CASE("A deadlock lists what each agent waits for") {
  World world(5, star({10, 10, 10, 10}));
  world.spawn(0, collect_in_vain(world.agent(0)));
  world.spawn(2, sleep_then_send(world.agent(2), span(90), 0, 7, 1));
  world.spawn(4, receive_in_vain(world.agent(4)));
  CHECK(what_run_throws(world) ==
        "deadlock at 100 ns: no event is left and 2 agents still wait\n"
        "  agent 0 waits for round 7 of agents 1, 3\n"
        "  agent 4 waits for any message");
}

TEST_CASE("A deadlock of exchanges lists the exchange and the missing senders") {
  // Agent 3 has no coroutine, so agent 2 misses its message, and agent 1 then the second one of agent 2.
  World world(4, line({10, 10, 10}));
  for (AgentId a = 1; a < 3; ++a) world.spawn(a, exchange_in_vain(world.agent(a)));
  world.spawn(0, exchange_in_vain(world.agent(0)));
  CHECK(what_run_throws(world) ==
        "deadlock at 20 ns: no event is left and 2 agents still wait\n"
        "  agent 1 waits for exchange 2 with agents 2\n"
        "  agent 2 waits for exchange 1 with agents 3");
}

TEST_CASE("Waiting daemons are no deadlock while others go on, and are not named when these wait too") {
  World fine(2, line({10}));
  std::vector<Seen> got;
  fine.spawn(0, sleep_then_send(fine.agent(0), span(50), 1, 0, 1));
  fine.spawn_daemon(1, receive_forever(fine.agent(1), got));
  CHECK(fine.run().reason == EndReason::finished);

  World stuck(2, line({10}));
  stuck.spawn(0, receive_in_vain(stuck.agent(0)));
  stuck.spawn_daemon(1, receive_forever(stuck.agent(1), got));
  CHECK(what_run_throws(stuck) ==
        "deadlock at 0 ns: no event is left and 1 agent still waits\n"
        "  agent 0 waits for any message");
}

TEST_CASE("The run ends with the last main coroutine, daemons or not") {
  World world(2, {});
  std::vector<Time> ticks;
  world.spawn(0, only_sleep(world.agent(0), span(35)));
  world.spawn_daemon(1, tick(world.agent(1), ticks));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::finished);
  CHECK(ending.last_event == at(35));
  CHECK(ticks == std::vector{at(10), at(20), at(30)});
}

TEST_CASE("Without main coroutines only events without time run") {
  World world(1, {});
  std::vector<Time> ticks;
  world.spawn_daemon(0, tick(world.agent(0), ticks));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::finished);
  CHECK(ending.events == 0);
  CHECK(ticks.empty());
}

TEST_CASE("stop() ends the run after the coroutine that called it") {
  World world(3, {});
  std::vector<int> before, steps, after;
  world.spawn(0, report_and_stop(world.agent(0), world.sim, 2, before));  // ends at 20 ns
  world.spawn(1, report_and_stop(world.agent(1), world.sim, 9, steps));
  std::vector<Time> ticks;
  world.spawn(2, tick(world.agent(2), ticks));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::stopped);
  CHECK(ending.last_report == at(30));
  CHECK(ending.last_event == at(30));
  CHECK(steps == std::vector{0, 1, 2});
  CHECK(ticks == std::vector{at(10), at(20)});  // its turn at 30 ns would come after agent 1's
}

TEST_CASE("The first stop() of a run counts, and a run that has an end is not stopped") {
  World world(1, {});
  CHECK(world.sim.stop());
  CHECK_FALSE(world.sim.stop());
  world.spawn(0, only_sleep(world.agent(0), span(5)));
  CHECK(world.run().reason == EndReason::stopped);
  CHECK_FALSE(world.sim.stop());
}

TEST_CASE("Events at the time limit happen, later ones don't") {
  World world(1, {}, {.end = at(30)});
  std::vector<Time> ticks;
  world.spawn(0, tick(world.agent(0), ticks));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::time_limit);
  CHECK(ticks == std::vector{at(10), at(20), at(30)});

  World between(1, {}, {.end = at(29)});
  ticks.clear();
  between.spawn(0, tick(between.agent(0), ticks));
  between.run();
  CHECK(ticks == std::vector{at(10), at(20)});
}

TEST_CASE("Kernels that were started have run when the run ends, however it ends", "[threads]") {
  for (const unsigned threads : {1u, 2u, 4u}) {
    bool ran = false;
    World stopped(2, {}, {.threads = threads});
    stopped.spawn(0, compute_once(stopped.agent(0), 1000, ran));
    stopped.spawn(1, stop_after(stopped.agent(1), stopped.sim, span(5)));
    CHECK(stopped.run().reason == EndReason::stopped);
    CHECK(ran);

    ran = false;
    World limited(1, {}, {.threads = threads, .end = at(10)});
    limited.spawn(0, compute_once(limited.agent(0), 1000, ran));
    CHECK(limited.run().reason == EndReason::time_limit);
    CHECK(ran);

    ran = false;
    World failed(2, {}, {.threads = threads});
    failed.spawn(0, compute_once(failed.agent(0), 1000, ran));
    failed.spawn(1, fail_after(failed.agent(1), span(5)));
    CHECK(what_run_throws(failed) == "agent 1 at 5 ns: step size is 0");
    CHECK(ran);
  }
}

TEST_CASE("Reports reach the recorder with their parts") {
  struct Recorded : Recorder {
    void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
      REQUIRE(parts.size() == 2);
      rows.push_back({static_cast<double>(agent), static_cast<double>(round), parts[0][0], parts[1][2]});
    }
    std::vector<std::vector<double>> rows;
  } recorded;
  World world(1, {});
  world.sim.record(recorded);
  const auto program = [](Agent& me) -> Task<> {
    const Vector primal = scalar(2.5), dual = Vector::LinSpaced(3, 1, 3);
    me.report(4, primal, dual);
    co_return;
  };
  world.spawn(0, program(world.agent(0)));
  world.run();
  CHECK(recorded.rows == std::vector<std::vector<double>>{{0, 4, 2.5, 3}});
}

TEST_CASE("An agent has one coroutine") {
  World world(1, {});
  world.spawn(0, only_sleep(world.agent(0), span(1)));
  CHECK_THROWS_AS(world.spawn(0, only_sleep(world.agent(0), span(1))), InternalError);
}

}  // namespace lagnet::simulation_endings_test
