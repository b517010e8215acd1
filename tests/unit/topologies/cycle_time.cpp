#include "topologies/cycle_time.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>

#include "sim/base/draws.hpp"
#include "tests/unit/topologies/said.hpp"

namespace lagnet::cycle_time_test {

namespace {

/// Arcs between random events; those within a round lead to a later event, so that no round waits for itself.
std::vector<TimedArc> drawn_arcs(std::size_t events, std::size_t count, std::uint64_t seed) {
  Draws draws(seed, Purpose{"arcs"});
  std::vector<TimedArc> arcs;
  while (arcs.size() < count) {
    TimedArc arc{draws.below(events), draws.below(events), draws.uniform(), static_cast<int>(draws.below(3))};
    if (arc.from < arc.to || arc.rounds > 0) arcs.push_back(arc);
  }
  return arcs;
}

/// The largest ratio of any cycle that passes no event twice; 0 without a cycle.
double by_enumeration(std::size_t events, const std::vector<TimedArc>& arcs) {
  double best = 0;
  std::vector<bool> is_passed(events);
  const std::function<void(std::size_t, std::size_t, double, int)> go = [&](std::size_t start, std::size_t at,
                                                                            double seconds, int rounds) {
    for (const TimedArc& arc : arcs) {
      if (arc.from != at || arc.to < start) continue;
      const double time = seconds + arc.seconds;
      const int count = rounds + arc.rounds;
      if (arc.to == start) {
        best = std::max(best, time / count);
      } else if (!is_passed[arc.to]) {
        is_passed[arc.to] = true;
        go(start, arc.to, time, count);
        is_passed[arc.to] = false;
      }
    }
  };
  for (std::size_t start = 0; start < events; ++start) go(start, start, 0, 0);
  return best;
}

void check_cycle(const CycleTime& found, const std::vector<TimedArc>& arcs) {
  double seconds = 0, rounds = 0;
  for (std::size_t k = 0; k < found.cycle.size(); ++k) {
    const TimedArc& arc = arcs[found.cycle[k]];
    seconds += arc.seconds;
    rounds += arc.rounds;
    CHECK(arc.to == arcs[found.cycle[(k + 1) % found.cycle.size()]].from);
  }
  CHECK(found.seconds == Approx(seconds / rounds).epsilon(1e-15));
}

}  // namespace

TEST_CASE("two agents that wait for each other take the mean of both directions") {
  const std::vector<TimedArc> arcs{{0, 1, 1, 1}, {1, 0, 4, 1}, {0, 0, 2, 1}};
  const CycleTime found = cycle_time(2, arcs);
  CHECK(found.seconds == 2.5);
  CHECK(found.cycle.size() == 2);
  check_cycle(found, arcs);
}

TEST_CASE("delays within a round add up, and more rounds divide them") {
  CHECK(cycle_time(3, std::vector<TimedArc>{{0, 1, 1, 0}, {1, 2, 2, 0}, {2, 0, 3, 1}}).seconds == 6);
  CHECK(cycle_time(3, std::vector<TimedArc>{{0, 1, 1, 0}, {1, 2, 2, 0}, {2, 0, 3, 4}}).seconds == 1.5);
  CHECK(cycle_time(1, std::vector<TimedArc>{{0, 0, 1, 2}, {0, 0, 3, 4}}).seconds == 0.75);
}

TEST_CASE("the cycle time is the largest ratio of all cycles") {
  std::size_t with_cycles = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::size_t events = 2 + seed % 6, count = 1 + seed % 17;
    const std::vector<TimedArc> arcs = drawn_arcs(events, count, seed);
    const CycleTime found = cycle_time(events, arcs);
    INFO("seed " << seed);
    CHECK(found.seconds == Approx(by_enumeration(events, arcs)).epsilon(1e-12));
    if (found.cycle.empty()) continue;
    ++with_cycles;
    check_cycle(found, arcs);
  }
  CHECK(with_cycles > 100);
}

TEST_CASE("short and long times are as exact as others") {
  for (const double unit : {1e-9, 1e-3, 1e6}) {
    std::vector<TimedArc> arcs = drawn_arcs(6, 16, 3);
    const double expected = unit * cycle_time(6, arcs).seconds;
    for (TimedArc& arc : arcs) arc.seconds *= unit;
    CHECK(cycle_time(6, arcs).seconds == Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("rounds of a max-plus recursion take the cycle time in the long run") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    constexpr std::size_t events = 30;
    constexpr int rounds = 4000;
    std::vector<TimedArc> arcs = drawn_arcs(events, 90, seed);
    for (std::size_t k = 0; k < events; ++k) arcs.push_back({k, (k + 1) % events, 0.1, 1});  // all depend on all
    std::vector<std::vector<double>> moments(rounds, std::vector<double>(events));
    for (int r = 1; r < rounds; ++r)
      for (std::size_t event = 0; event < events; ++event)
        for (const TimedArc& arc : arcs)
          if (arc.to == event && arc.rounds <= r)
            moments[r][event] = std::max(moments[r][event], moments[r - arc.rounds][arc.from] + arc.seconds);
    // Past its start the recursion is periodic, with a period below the greatest common one of cycles of 30 events;
    // what a part of a period is off by is below the longest way, 30 arcs of 1 s, over 3000 rounds.
    const double taken = (moments[3999][0] - moments[999][0]) / 3000;
    CHECK(std::abs(taken - cycle_time(events, arcs).seconds) < 0.01);
  }
}

TEST_CASE("a graph without cycles has no cycle time, and one whose arcs take no time has 0") {
  const CycleTime none = cycle_time(3, std::vector<TimedArc>{{0, 1, 1, 1}, {1, 2, 1, 0}});
  CHECK(none.seconds == 0);
  CHECK(none.cycle.empty());
  CHECK(cycle_time(0, {}).cycle.empty());
  CHECK(cycle_time(2, std::vector<TimedArc>{{0, 1, 5, 0}}).cycle.empty());
  const CycleTime still = cycle_time(2, std::vector<TimedArc>{{0, 1, 0, 1}, {1, 0, 0, 0}});
  CHECK(still.seconds == 0);
  CHECK(still.cycle.size() == 2);
}

TEST_CASE("invalid arcs, and events that wait for themselves, are named") {
  CHECK(said([] {
          cycle_time(2, std::vector<TimedArc>{{0, 2, -1, 1}, {0, 1, 1, -1}});
        }) ==
        "arc 0: expected events below 2, found 2\n"
        "arc 0: expected finite seconds at least 0, found -1\n"
        "arc 1: expected at least 0 rounds, found -1");
  CHECK(said([] {
          cycle_time(4, std::vector<TimedArc>{{1, 3, 1, 0}, {3, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 1}});
        }) == "arcs: expected a round on every cycle, found events that wait for each other within one: 1 3");
}

}  // namespace lagnet::cycle_time_test
