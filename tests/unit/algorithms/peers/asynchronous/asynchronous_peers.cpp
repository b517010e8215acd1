#include "algorithms/peers/asynchronous/asynchronous_peers.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::test::asynchronous_peers_test {

namespace {

struct TickLog {
  std::vector<Time> began;
  std::int64_t missed = 0;
};

/// Begins an update at each tick, of which the second takes 35 ms.
Task<> begin_at_ticks(Agent& me, std::shared_ptr<const Clocks> otherwise, TickLog& log) {
  Ticker ticker(me, otherwise);
  for (int n = 0; n < 4; ++n) {
    if (const Time tick = ticker.next(me); tick > me.now()) co_await me.sleep(tick - me.now());
    ticker.take(me);
    log.began.push_back(me.now());
    co_await me.sleep(Duration::milliseconds(n == 1 ? 35 : 1));
  }
}

TickLog ticks_of(std::shared_ptr<const Clocks> of_world, std::shared_ptr<const Clocks> of_method) {
  SimulationOptions options;
  options.model.clocks = std::move(of_world);
  World world(1, {}, options);
  TickLog log;
  world.spawn(0, begin_at_ticks(world.agent(0), std::move(of_method), log));
  struct Missed final : Listener {
    std::int64_t all = 0;
    void on_event(const SimEvent& what) override { all += what.amount; }
    bool wants(EventKind what) const override { return what == EventKind::missed; }
  } missed;
  world.sim.listen(missed);
  world.run();
  log.missed = missed.all;
  return log;
}

std::vector<Time> at_ms(const std::vector<std::int64_t>& ms) {
  std::vector<Time> all;
  for (const std::int64_t one : ms) all.push_back(at(one * 1'000'000));
  return all;
}

/// Reports 1, 2, .. as it sends messages with these counts.
Task<> send_counts(Agent& me, std::vector<Round> counts) {
  Round n = 0;
  for (const Round count : counts) {
    me.send(1, count, scalar(static_cast<double>(count)));
    me.report(++n, scalar(0));
    co_await me.sleep(Duration::milliseconds(1));
  }
}

struct Drained {
  std::vector<double> values;
  bool had_before = true, has_after = false;
};

Task<> drain_later(Agent& me, Drained& drained) {
  NewestValues newest(me);
  drained.had_before = newest.has(0);
  const auto use = [&](std::size_t, const Payload& body) { drained.values.push_back(body.data()[0]); };
  co_await me.sleep(Duration::milliseconds(2.5));
  newest.drain(me, use);
  newest.tell(me);
  co_await me.sleep(Duration::milliseconds(10));
  newest.drain(me, use);
  newest.tell(me);
  drained.has_after = newest.has(0);
}

}  // namespace

using namespace lagnet::test;

TEST_CASE(
    "updates begin at ticks of the scenario's clock or else of the method's or at once and other ticks are missed") {
  const auto tens = std::make_shared<const Clocks>(Clocks::periodic({Duration::milliseconds(10)}));
  const auto sevens = std::make_shared<const Clocks>(Clocks::periodic({Duration::milliseconds(7)}));
  const TickLog by_world = ticks_of(tens, sevens), by_method = ticks_of(nullptr, tens),
                free = ticks_of(nullptr, nullptr);
  CHECK(by_world.began == at_ms({10, 20, 60, 70}));
  CHECK(by_world.missed == 3);  // those at 30, 40 and 50 ms
  CHECK(by_method.began == by_world.began);
  CHECK(free.began == at_ms({0, 1, 36, 37}));
  CHECK(free.missed == 0);
}

TEST_CASE("an update that takes no time without a clock ends the run with what would give it some") {
  SimulationOptions clocked;
  clocked.model.clocks = std::make_shared<const Clocks>(Clocks::periodic({Duration::milliseconds(1)}));
  World free(1, {}), ticking(1, {}, clocked);
  CHECK_THROWS_AS(check_time_passes(free.agent(0), Time()), WorldLimit);
  CHECK_NOTHROW(check_time_passes(ticking.agent(0), Time()));
}

TEST_CASE("of what a neighbor sent the newest by count is used, and how old that is is told") {
  World world(2, line({1'000'000}));
  Drained drained;
  world.spawn(0, send_counts(world.agent(0), {1, 2, 1, 4, 3}));
  world.spawn(1, drain_later(world.agent(1), drained));
  struct Ages final : Listener {
    std::vector<std::int64_t> all;
    void on_event(const SimEvent& what) override { all.push_back(what.amount); }
    bool wants(EventKind what) const override { return what == EventKind::used; }
  } ages;
  world.sim.listen(ages);
  world.run();
  CHECK_FALSE(drained.had_before);
  CHECK(drained.has_after);
  CHECK(drained.values == std::vector<double>{1, 2, 4});       // the other 1 and the 3 are older
  CHECK(ages.all == std::vector<std::int64_t>{3 - 2, 5 - 4});  // by what the neighbor had reported then
}

TEST_CASE("neighbors are asked one after the other or each alike by the agent's own numbers") {
  World world(4, star({1, 1, 1}));
  const Agent& center = world.agent(0);
  std::vector<int> times(3);
  for (std::int64_t n = 0; n < 3000; ++n) {
    CHECK(chosen_neighbor(NeighborChoice::cyclic, center, n) == static_cast<std::size_t>(n % 3));
    const std::size_t k = chosen_neighbor(NeighborChoice::random, center, n);
    CHECK(k == Draws(1, Purpose{"neighbor"}, 0, n).below(3));
    ++times[k];
    CHECK(chosen_neighbor(NeighborChoice::random, world.agent(2), n) == 0);
  }
  // Binomial with a deviation of 26: 1000 in the mean, and within six of them.
  for (const int count : times) CHECK(std::abs(count - 1000) < 6 * 26);
}

}  // namespace lagnet::test::asynchronous_peers_test
