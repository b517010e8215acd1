#include "sim/world/availability.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "sim/world/availability_processes.hpp"

namespace lagnet::availability_test {

namespace {

constexpr Time at(std::int64_t ns) { return Time::nanoseconds(ns); }
constexpr Duration lasting(std::int64_t ns) { return Duration::nanoseconds(ns); }
constexpr Time never = Time::never();

template <class Process>
std::shared_ptr<const AvailabilityProcess> shared(Process process) {
  return std::make_shared<const Process>(std::move(process));
}

std::shared_ptr<const AvailabilityProcess> outages(std::vector<Outage> list) {
  return shared(Outages(std::move(list)));
}

}  // namespace

TEST_CASE("Without processes an agent is always up") {
  const Availability always(2, {});
  CHECK(always.agents() == 2);
  CHECK(always.up(1, at(0)));
  CHECK(always.at(1, at(5)).until == never);
  CHECK(always.next_up(1, at(7)) == at(7));
  CHECK(always.finish(1, at(7), lasting(3)) == at(10));
  CHECK(always.restarts().empty());
  CHECK_FALSE(always.gone_for_good(1, at(0)));
}

TEST_CASE("An agent is down from the beginning of an outage and up at its end") {
  const Availability world(2, {outages({{0, at(10), at(20)}})});
  CHECK(world.up(0, at(9)));
  CHECK_FALSE(world.up(0, at(10)));
  CHECK_FALSE(world.up(0, at(19)));
  CHECK(world.up(0, at(20)));
  CHECK(world.up(1, at(15)));
  CHECK(world.next_up(0, at(9)) == at(9));
  CHECK(world.next_up(0, at(10)) == at(20));
  CHECK(world.next_up(0, at(20)) == at(20));
}

TEST_CASE("Time down between two times is the part of the outages between them") {
  const Availability world(1, {outages({{0, at(10), at(20)}, {0, at(25), at(40)}, {0, at(40), at(50)}})});
  CHECK(world.down_time(0, at(0), at(10)) == lasting(0));
  CHECK(world.down_time(0, at(0), at(12)) == lasting(2));
  CHECK(world.down_time(0, at(12), at(13)) == lasting(1));
  CHECK(world.down_time(0, at(15), at(26)) == lasting(6));
  CHECK(world.down_time(0, at(0), at(100)) == lasting(35));  // 10, and 25 of two that touch
  CHECK(world.down_time(0, at(12), at(12)) == lasting(0));
}

TEST_CASE("Work stops while the agent is down and goes on afterwards") {
  const Availability world(1, {outages({{0, at(10), at(20)}, {0, at(25), at(40)}, {0, at(40), at(50)}})});
  CHECK(world.finish(0, at(2), lasting(7)) == at(9));
  CHECK(world.finish(0, at(2), lasting(8)) == at(10));   // it just fits
  CHECK(world.finish(0, at(2), lasting(9)) == at(21));   // 8 before the outage, 1 after it
  CHECK(world.finish(0, at(2), lasting(13)) == at(25));  // 8 + 5
  CHECK(world.finish(0, at(2), lasting(14)) == at(51));  // outages that touch are one
  CHECK(world.finish(0, at(12), lasting(1)) == at(21));
  CHECK(world.finish(0, at(12), lasting(0)) == at(12));  // nothing to do takes no time, even for one who is down
}

TEST_CASE("An agent is up when all processes say so") {
  // Together: down in [10, 30) and [50, 60) and [70, 80).
  const Availability world(
      1, {outages({{0, at(10), at(20)}, {0, at(50), at(60)}}), outages({{0, at(15), at(30)}, {0, at(70), at(80)}})});
  CHECK(world.next_up(0, at(10)) == at(30));
  CHECK(world.next_up(0, at(16)) == at(30));
  CHECK(world.at(0, at(16)).until == at(30));  // the later end of the two
  CHECK(world.at(0, at(30)).until == at(50));  // the earlier beginning of the two
  CHECK(world.finish(0, at(0), lasting(10 + 20 + 10 + 1)) == at(81));
}

TEST_CASE("An agent that crashes without recovery is gone for good, and never finishes its work") {
  const Availability world(2, {shared(Crash({.agent = 1, .at = at(100), .recovers_after = {}}))});
  CHECK(world.up(1, at(99)));
  CHECK_FALSE(world.gone_for_good(1, at(99)));
  CHECK(world.gone_for_good(1, at(100)));
  CHECK(world.next_up(1, at(100)) == never);
  CHECK(world.finish(1, at(90), lasting(10)) == at(100));
  CHECK(world.finish(1, at(90), lasting(11)) == never);
  CHECK(world.restarts().empty());
  CHECK_FALSE(world.gone_for_good(0, at(1000)));
}

TEST_CASE("Restarts are the crashes that lose the state and end, ascending by time and agent") {
  const auto crash = [](AgentId agent, std::int64_t down, std::int64_t lasts, bool loses_state) {
    return shared(Crash({agent, at(down), lasting(lasts), loses_state}));
  };
  const Availability world(4, {crash(3, 10, 20, true), crash(1, 25, 5, true), crash(2, 1, 1, false),
                               crash(0, 40, 10, true), crash(0, 5, 5, true)});
  using Restart = Availability::Restart;
  CHECK(world.restarts() ==
        std::vector<Restart>{{0, at(5), at(10)}, {1, at(25), at(30)}, {3, at(10), at(30)}, {0, at(40), at(50)}});
}

TEST_CASE("A restart waits until the agent is up by all processes, and crashes that end in one are one") {
  const auto crash = [](std::int64_t down, std::int64_t lasts) {
    return shared(Crash({0, at(down), lasting(lasts), true}));
  };
  const Availability world(1, {crash(3, 4), crash(1, 4), crash(7, 2), outages({{0, at(9), at(12)}})});
  CHECK(world.restarts() == std::vector<Availability::Restart>{{0, at(1), at(12)}});
  const Availability gone(1, {crash(1, 4), outages({{0, at(2), never}})});
  CHECK(gone.restarts().empty());
}

TEST_CASE("An event after 292 years never happens") {
  const Availability always(1, {});
  CHECK(always.finish(0, at(never.ns() - 5), lasting(5)) == never);
  CHECK(always.finish(0, at(never.ns() - 5), lasting(4)) == at(never.ns() - 1));
  CHECK(always.finish(0, at(never.ns() - 5), lasting(never.ns())) == never);
  CHECK(saturated(at(3), lasting(4)) == at(7));
  CHECK(saturated(never, lasting(1)) == never);
  const Availability crashed(1, {shared(Crash({0, at(10), lasting(never.ns()), true}))});
  CHECK(crashed.gone_for_good(0, at(10)));
}

TEST_CASE("Rhythms that exclude each other are reported instead of searched forever") {
  const Availability world(2, {shared(Diurnal(lasting(10), lasting(5), {lasting(0), lasting(0)})),
                               shared(Diurnal(lasting(10), lasting(5), {lasting(0), lasting(5)}))});
  CHECK(world.next_up(0, at(5)) == at(10));
  CHECK_THROWS_WITH(
      world.next_up(1, at(0)),
      Catch::StartsWith("agent 1: expected a time at which all rules of availability say up, found none"));
}

}  // namespace lagnet::availability_test
