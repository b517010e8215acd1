#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::simulation_watcher_test {

using namespace lagnet::test;

namespace {

struct Look {
  Time at;
  std::int64_t events = 0;  // that had happened
  bool operator==(const Look&) const = default;
};

/// Looks every so often, and notes how many events had happened by then.
class EachPeriod final : public Watcher, public Listener {
 public:
  EachPeriod(World& world, Duration period) : world_(world), period_(period) {
    world.sim.listen(*this);
    world.sim.watch(*this, Time());
  }
  Time look(Time time) override {
    looks.push_back({time, events_});
    if (time == stop_at) world_.sim.stop();
    return time + period_;
  }
  void on_event(const SimEvent&) override { ++events_; }

  std::vector<Look> looks;
  Time stop_at = Time::never();

 private:
  World& world_;
  Duration period_;
  std::int64_t events_ = 0;
};

}  // namespace

TEST_CASE("A watcher sees every event up to its time, and none later") {
  World world(1, {});
  EachPeriod watcher(world, span(100));
  // At 0, 100 and 250 ns the agent begins to sleep: one event each.
  world.spawn(0, [](Agent& me) -> Task<> {
    for (const std::int64_t ns : {100, 150, 60}) co_await me.sleep(span(ns));
  }(world.agent(0)));
  const Ending ending = world.run();
  CHECK(watcher.looks == std::vector<Look>{{at(0), 1}, {at(100), 2}, {at(200), 2}, {at(300), 3}});
  CHECK(ending.last_event == at(310));
}

TEST_CASE("Looking changes neither the trace nor the end of a run") {
  const auto hash_of = [](bool is_watched) {
    World world(2, line({300}));
    std::optional<EachPeriod> watcher;
    if (is_watched) watcher.emplace(world, span(7));
    world.spawn(0, send_at(world.agent(0), {{.at_ns = 20, .to = 1}, {.at_ns = 45, .to = 1}}));
    world.spawn(1, only_sleep(world.agent(1), span(1000)));
    const Ending ending = world.run();
    return std::pair(world.trace.hash(), ending.last_event);
  };
  CHECK(hash_of(true) == hash_of(false));
}

TEST_CASE("A watcher looks up to the limit of time, the limit included") {
  World world(1, {}, {.end = at(250)});
  EachPeriod watcher(world, span(125));
  world.spawn(0, only_sleep(world.agent(0), span(1000)));
  CHECK(world.run().reason == EndReason::time_limit);
  CHECK(watcher.looks == std::vector<Look>{{at(0), 1}, {at(125), 1}, {at(250), 1}});
}

TEST_CASE("A run that a watcher ends has no later event") {
  World world(1, {});
  EachPeriod watcher(world, span(100));
  watcher.stop_at = at(200);
  world.spawn(0, [](Agent& me) -> Task<> {
    for (int k = 0; k < 100; ++k) co_await me.sleep(span(150));
  }(world.agent(0)));
  const Ending ending = world.run();
  CHECK(ending.reason == EndReason::stopped);
  CHECK(ending.last_event == at(150));
}

}  // namespace lagnet::simulation_watcher_test
