#include "scenarios/times/step_recorder.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::step_recorder_test {

using namespace lagnet::test;

namespace {

using Kind = Step::Kind;

/// Reports, computes and exchanges with all neighbors; in round `odd` it computes more.
Task<> exchange_in_rounds(Agent& me, Round rounds, Round odd) {
  me.report(0);
  for (Round round = 1; round <= rounds; ++round) {
    co_await me.compute(round == odd ? 9 : 5);
    co_await me.neighbor_sum(scalar(1));
    me.report(round);
  }
}

std::optional<EventGraph> steps_of_ring(Round odd, bool is_rotated = false) {
  World world(4, ring({300, 200, 900, 400}), {.model = {.sharing = is_rotated ? Sharing::fifo : Sharing::none}});
  StepRecorder recorder(world.sim.network(), is_rotated);
  world.sim.listen(recorder);
  for (AgentId id = 0; id < 4; ++id) world.spawn(id, exchange_in_rounds(world.agent(id), 8, odd));
  world.run();
  return recorder.graph(8);
}

}  // namespace

TEST_CASE("Equal rounds have one list of steps, with neighbors together") {
  for (const bool is_rotated : {false, true}) {
    const auto graph = steps_of_ring(-1, is_rotated);
    REQUIRE(graph);
    for (AgentId id = 0; id < 4; ++id) {
      CHECK(graph->first[id] == std::vector<Steps>{{{.kind = Kind::report}}});
      CHECK(graph->every[id] == Steps{{.kind = Kind::compute, .amount = 5},
                                      {.kind = Kind::broadcast, .amount = 8},
                                      {.kind = Kind::take_all},
                                      {.kind = Kind::report}});
    }
  }
}

TEST_CASE("The first rounds may be unlike the others, and a later one may not") {
  for (const Round odd : {1, 2}) {
    const auto graph = steps_of_ring(odd);
    REQUIRE(graph);
    CHECK(graph->first[0].size() == static_cast<std::size_t>(odd) + 1);
    CHECK(graph->steps(0, odd, 8).front().amount == 9);
    CHECK(graph->steps(0, odd + 1, 8).front().amount == 5);
  }
  CHECK_FALSE(steps_of_ring(5));
  CHECK(steps_of_ring(8));  // the last may be unlike the others
}

TEST_CASE("A server that takes answers in the order in which they come waits for all of them") {
  const Network network(3, star({100, 300}));
  StepRecorder recorder(network, false);
  for (Round round = 0; round <= 4; ++round) {
    const std::vector<AgentId> order = round % 2 == 0 ? std::vector<AgentId>{1, 2} : std::vector<AgentId>{2, 1};
    for (const AgentId from : order)
      recorder.on_event({.what = EventKind::took, .agent = 0, .peer = from, .round = round});
    recorder.on_event({.what = EventKind::reported, .agent = 0, .round = round});
  }
  const auto graph = recorder.graph(5);
  REQUIRE(graph);
  CHECK(graph->every[0] == Steps{{.kind = Kind::take_all}, {.kind = Kind::report}});
}

}  // namespace lagnet::step_recorder_test
