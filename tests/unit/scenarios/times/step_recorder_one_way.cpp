#include <catch2/catch.hpp>
#include <vector>

#include "scenarios/times/event_graph.hpp"
#include "scenarios/times/step_recorder.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::step_recorder_one_way_test {

using namespace lagnet::test;

namespace {

using Kind = Step::Kind;

LinkSpec arc(AgentId from, AgentId to, std::int64_t latency_ns) {
  return {.from = from, .to = to, .latency = span(latency_ns)};
}

/// A ring of four, with two chords: out-degrees 2, 1, 2, 1 and in-degrees 1, 2, 2, 1.
Network chorded() {
  return Network(4, {arc(0, 1, 300), arc(1, 2, 20), arc(2, 3, 900), arc(3, 0, 40), arc(0, 2, 5), arc(2, 1, 700)}, {},
                 LinkDirections::any);
}

struct Reported final : Listener {
  std::vector<Time> latest;  // of each round
  void on_event(const SimEvent& what) override {
    if (what.what != EventKind::reported) return;
    latest.resize(std::max(latest.size(), static_cast<std::size_t>(what.round) + 1));
    latest[static_cast<std::size_t>(what.round)] = what.at;
  }
};

Task<> exchange_in_rounds(Agent& me, Round rounds) {
  me.report(0);
  for (Round round = 1; round <= rounds; ++round) {
    co_await me.compute(5 + 3 * me.id());
    co_await me.neighbor_sum(scalar(1));
    me.report(round);
  }
}

}  // namespace

TEST_CASE("Steps of agents with one-way links send to whom they send and take from whom they hear") {
  World world(chorded());
  StepRecorder recorder(world.sim.network(), false);
  Reported reported;
  world.sim.listen(recorder);
  world.sim.listen(reported);
  constexpr Round rounds = 12;
  for (AgentId id = 0; id < 4; ++id) world.spawn(id, exchange_in_rounds(world.agent(id), rounds));
  world.run();
  const auto graph = recorder.graph(rounds);
  REQUIRE(graph);
  const auto take_from = [&](AgentId from, AgentId to) {
    return Step{.kind = Kind::take, .link = world.sim.network().find(from, to)};
  };
  const auto send_to = [&](AgentId from, AgentId to) {
    return Step{.kind = Kind::send, .link = world.sim.network().find(from, to), .amount = 8};
  };
  const Step report{.kind = Kind::report}, to_all{.kind = Kind::broadcast, .amount = 8},
      from_all{.kind = Kind::take_all};
  CHECK(graph->every[0] == Steps{{.kind = Kind::compute, .amount = 5}, to_all, take_from(3, 0), report});
  CHECK(graph->every[1] == Steps{{.kind = Kind::compute, .amount = 8}, send_to(1, 2), from_all, report});
  CHECK(graph->every[2] == Steps{{.kind = Kind::compute, .amount = 11}, to_all, from_all, report});
  CHECK(graph->every[3] == Steps{{.kind = Kind::compute, .amount = 14}, send_to(3, 0), take_from(2, 3), report});
  // Steps: a report and a computation of each agent, and what is sent and taken over six links.
  CHECK(steps_in_round(*graph, world.sim.network()) == 2 * 4 + 2 * 6);
  const ComputeModel compute(std::vector<double>(4, 1e9));
  const std::vector<Time> times =
      round_times(*graph, {world.sim.network(), compute, {.sharing = Sharing::none}}, rounds, rounds);
  CHECK(times == reported.latest);
}

}  // namespace lagnet::step_recorder_one_way_test
