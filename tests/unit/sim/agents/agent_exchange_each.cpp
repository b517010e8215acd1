#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_exchange_each_test {

using namespace lagnet::test;

namespace {

using Got = std::vector<std::vector<double>>;  // by agent, one exchange after the other

/// Sends 10 a + b from agent a to its neighbor b, twice.
Task<> exchange_numbers(Agent& me, Got& got) {
  std::vector<StateVector> mine;
  for (const AgentId to : me.neighbors()) mine.push_back(scalar(10.0 * me.id() + to));
  for (Round t = 1; t <= 2; ++t) {
    me.report(t - 1);
    const std::vector<Message> messages = co_await me.exchange_each(mine);
    for (const Message& message : messages) got[me.id()].push_back(message.body.view()[0]);
  }
}

/// Loses what agent 1 sends to agent 2 in round 1.
struct LosesOne final : FaultRule {
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.from == 1 && what.to == 2 && what.round == 1) fate.lost = Cause::loss;
  }
};

}  // namespace

TEST_CASE("each neighbor gets the vector that is for it") {
  World world(3, line({100, 250}));
  Got got(3);
  for (AgentId id = 0; id < 3; ++id) world.spawn(id, exchange_numbers(world.agent(id), got));
  world.run();
  CHECK(got == Got{{10, 10}, {1, 21, 1, 21}, {12, 12}});
}

TEST_CASE("without neighbors there is nothing to send, and nothing to wait for") {
  World world(1, {});
  Got got(1);
  world.spawn(0, exchange_numbers(world.agent(0), got));
  world.run();
  CHECK(got == Got{{}});
  CHECK(world.log.times(EventKind::reported).size() == 2);
}

TEST_CASE("each neighbor gets the vector that is for it where others are missing") {
  SimulationOptions options;
  options.model.faults.push_back(std::make_shared<LosesOne>());
  options.model.missing = {.kind = MissingNeighborKind::skip, .deadline = span(1000)};
  World world(3, line({100, 250}), options);
  Got got(3);
  for (AgentId id = 0; id < 3; ++id) world.spawn(id, exchange_numbers(world.agent(id), got));
  world.run();
  CHECK(got == Got{{10, 10}, {1, 21, 1, 21}, {12}});
}

}  // namespace lagnet::agent_exchange_each_test
