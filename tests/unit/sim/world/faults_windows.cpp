#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::faults_windows_test {

using namespace lagnet::test;

/// Faults that hold for spans of time, seen through messages that take 100 ns.
namespace {

Task<> send_then_stay(Agent& me, std::vector<Departure> departures) {
  co_await send_at(me, std::move(departures));
  co_await me.sleep(span(100'000));
}

/// A ring of three in which each agent sends to its successor at these times.
struct Ring {
  Ring(std::shared_ptr<const FaultRule> fault, const std::vector<std::int64_t>& times_ns, const Repair& repair = {})
      : world(3, ring({100, 100, 100}), {.model = {.faults = {std::move(fault)}, .repair = repair}}) {
    for (AgentId a = 0; a < 3; ++a) {
      std::vector<Departure> departures;
      for (const std::int64_t time : times_ns) departures.push_back({time, (a + 1) % 3, 1});
      world.spawn(a, send_then_stay(world.agent(a), departures));
    }
    world.run();
  }
  std::vector<Time> delivered(AgentId from) const { return world.log.times(EventKind::delivered, (from + 1) % 3); }
  std::vector<Time> lost(AgentId from) const { return world.log.times(EventKind::lost, from); }
  bool all_lost_by(Cause cause) const {
    for (const SimEvent& one : world.log.all)
      if (one.what == EventKind::lost && one.cause != cause) return false;
    return true;
  }
  World world;
};

using Times = std::vector<Time>;

/// Link 0 -> 1 is off within the windows, the others are always on.
std::shared_ptr<const FaultRule> off(const std::vector<Window>& windows) {
  const Network network(3, ring({100, 100, 100}));
  std::vector<std::vector<Window>> of_links(network.links());
  of_links[network.find(0, 1)] = windows;
  return std::make_shared<LinkOutages>(of_links);
}

const Repair repeated{.timeout = Duration::nanoseconds(1000), .longest = Duration::nanoseconds(1000)};

}  // namespace

TEST_CASE("A window begins with its first moment and ends before its last one") {
  const Window window{.from = at(10), .until = at(20)};
  CHECK_FALSE(window.contains(at(9)));
  CHECK(window.contains(at(10)));
  CHECK(window.contains(at(19)));
  CHECK_FALSE(window.contains(at(20)));
  CHECK(Window{.from = at(10)}.contains(at(1'000'000'000'000)));
}

TEST_CASE("A link that is off loses exactly the messages that leave or would arrive") {
  // Off from 1000 to 1200. Sent at 900: would arrive at 1000. At 899 and 1200: just in time.
  const Ring outage(off({{at(1000), at(1200)}}), {899, 900, 1000, 1199, 1200});
  CHECK(outage.lost(0) == Times{at(1000), at(1100), at(1299)});
  CHECK(outage.delivered(0) == Times{at(999), at(1300)});
  CHECK(outage.all_lost_by(Cause::link_down));
  for (const AgentId other : {1u, 2u}) {
    CHECK(outage.delivered(other) == Times{at(999), at(1000), at(1100), at(1299), at(1300)});
    CHECK(outage.lost(other).empty());
  }
}

TEST_CASE("An outage between departure and arrival does no harm") {
  const Ring outage(off({{at(1001), at(1100)}}), {1000});
  CHECK(outage.delivered(0) == Times{at(1100)});
}

TEST_CASE("A link can be off again and again, and for ever") {
  const Ring outage(off({{at(1000), at(1200)}, {at(3000), at(3100)}, {at(5000), Time::never()}}),
                    {0, 1050, 2000, 3050, 4000, 5000, 9000});
  CHECK(outage.delivered(0) == Times{at(100), at(2100), at(4100)});
  CHECK(outage.lost(0) == Times{at(1150), at(3150), at(5100), at(9100)});
}

TEST_CASE("Messages lost in an outage are sent again until the link is back") {
  const Ring outage(off({{at(0), at(2500)}}), {0}, repeated);  // at 0, 1000, 2000 and 3000
  CHECK(outage.lost(0) == Times{at(100), at(1100), at(2100)});
  CHECK(outage.delivered(0) == Times{at(3100)});
}

TEST_CASE("A partition keeps messages between groups from setting out and from arriving, and no others") {
  // Agents 0 and 1 against 2, from 1000 to 1200.
  const Window window{.from = at(1000), .until = at(1200)};
  const Ring parted(std::make_shared<Partition>(window, std::vector<std::uint32_t>{5, 5, 0}), {899, 900, 1199, 1200});
  CHECK(parted.delivered(0) == Times{at(999), at(1000), at(1299), at(1300)});  // to 1: the same group
  CHECK(parted.delivered(1) == Times{at(999), at(1300)});
  CHECK(parted.delivered(2) == Times{at(999), at(1300)});
  CHECK(parted.lost(1) == Times{at(1000), at(1299)});
  CHECK(parted.all_lost_by(Cause::partition));
}

TEST_CASE("When a partition heals, its lost messages are sent again") {
  const Window window{.from = at(0), .until = at(1500)};
  const auto partition = std::make_shared<Partition>(window, std::vector<std::uint32_t>{0, 1, 1});
  const Ring healed(partition, {0}, repeated);
  CHECK(healed.delivered(0) == Times{at(2100)});
  CHECK(healed.delivered(1) == Times{at(100)});
  CHECK(healed.delivered(2) == Times{at(2100)});
  CHECK(healed.world.ledger.total().retransmitted == 4);
}

TEST_CASE("The first rule that loses a message gives the cause") {
  struct Loses final : FaultRule {
    explicit Loses(Cause why) : cause(why) {}
    void judge(const Transmission&, Fate& fate) const override {
      if (fate.lost == Cause::none) fate.lost = cause;
    }
    Cause cause;
  };
  WorldModel model;
  model.faults = {std::make_shared<Loses>(Cause::burst), off({{at(0), at(1000)}}),
                  std::make_shared<IndependentLoss>(1)};
  World world(3, ring({100, 100, 100}), {.model = model});
  world.spawn(0, send_then_stay(world.agent(0), {{0, 1, 1}}));
  world.run();
  REQUIRE(world.log.all.size() >= 2);
  for (const SimEvent& one : world.log.all) CHECK((one.what != EventKind::lost || one.cause == Cause::burst));

  std::swap(model.faults[0], model.faults[1]);
  World swapped(3, ring({100, 100, 100}), {.model = model});
  swapped.spawn(0, send_then_stay(swapped.agent(0), {{0, 1, 1}}));
  swapped.run();
  for (const SimEvent& one : swapped.log.all) CHECK((one.what != EventKind::lost || one.cause == Cause::link_down));
}

}  // namespace lagnet::faults_windows_test
