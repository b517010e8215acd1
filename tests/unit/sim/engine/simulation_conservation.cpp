#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet {

/// Reaches into the engine to break what its checks watch.
struct EngineProbe {
  static void lose_next_event(Simulation& world) { world.queue_.pop(); }
};

}  // namespace lagnet

/// Every build counts what was sent and neither delivered nor lost, and holds it against what is still to come.
namespace lagnet::simulation_conservation_test {

using namespace lagnet::test;

namespace {

/// Sends a message, and loses it on its way without an event if asked to.
Task<> send_and_lose(Agent& me, Simulation& world, bool loses) {
  me.send(1, 0, scalar(1));
  if (loses) EngineProbe::lose_next_event(world);
  co_await me.sleep(span(1000));
}
Task<> broadcast_and_lose(Agent& me, Simulation& world, bool loses) {
  me.broadcast(0, scalar(1));
  if (loses) EngineProbe::lose_next_event(world);
  co_await me.sleep(span(1000));
}
Task<> receive_one(Agent& me) { co_await me.receive(); }

}  // namespace

TEST_CASE("A message that the engine loses without a word is an internal error, however messages travel") {
  for (const Sharing sharing : {Sharing::none, Sharing::fifo, Sharing::fair})
    for (const bool loses : {false, true}) {
      World world(2, line({10}), {.model = {.sharing = sharing}});
      world.spawn(0, send_and_lose(world.agent(0), world.sim, loses));
      world.spawn_daemon(1, receive_one(world.agent(1)));
      if (loses)
        CHECK_THROWS_AS(world.run(), InternalError);
      else
        CHECK(world.run().reason == EndReason::finished);
    }
}

TEST_CASE("A broadcast that the engine loses is an internal error, for equal and for other latencies") {
  for (const auto& latencies : {std::vector<std::int64_t>{10, 10, 10}, {10, 20, 20}})
    for (const bool loses : {false, true}) {
      World world(4, star(latencies));
      world.spawn(0, broadcast_and_lose(world.agent(0), world.sim, loses));
      for (AgentId a = 1; a < 4; ++a) world.spawn_daemon(a, receive_one(world.agent(a)));
      if (loses)
        CHECK_THROWS_AS(world.run(), InternalError);
      else
        CHECK(world.run().reason == EndReason::finished);
    }
}

TEST_CASE("A receiver that waits for a message that the engine lost does not make it a deadlock of the method") {
  World world(2, line({10}));
  world.spawn(0, send_and_lose(world.agent(0), world.sim, true));
  world.spawn(1, receive_one(world.agent(1)));
  CHECK_THROWS_AS(world.run(), InternalError);
}

}  // namespace lagnet::simulation_conservation_test
