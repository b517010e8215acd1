#include "sim/world/schedule.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "tests/unit/sim/world.hpp"

namespace lagnet::schedule_test {

namespace {
using test::at;
using test::span;
constexpr std::int64_t ms = 1'000'000;
}  // namespace

TEST_CASE("a schedule holds each value from its time on, and the first one before") {
  const Schedule schedule({at(10), at(20)}, {3, 5});
  CHECK(schedule.at(at(0)) == 3);
  CHECK(schedule.at(at(10)) == 3);
  CHECK(schedule.at(at(19)) == 3);
  CHECK(schedule.at(at(20)) == 5);
  CHECK(schedule.next_change(at(0)) == at(20));
  CHECK(schedule.next_change(at(20)) == Time::never());
}

TEST_CASE("a schedule with a period comes again") {
  const Schedule schedule({at(0), at(15)}, {40, 20}, span(30));
  CHECK(schedule.at(at(29)) == 20);
  CHECK(schedule.at(at(30)) == 40);
  CHECK(schedule.at(at(46)) == 20);
  CHECK(schedule.next_change(at(15)) == at(30));
  CHECK(schedule.next_change(at(31)) == at(45));
}

TEST_CASE("bytes are through when the rate has added up to them") {
  // 1 MB/s, nothing from 1 s, 0.5 MB/s from 2.5 s: 1.5 MB take until 3.5 s.
  const Schedule stalls({at(0), at(1000 * ms), at(2500 * ms)}, {1e6, 0, 0.5e6});
  CHECK(stalls.leaves(at(0), 1.5e6) == at(3500 * ms));
  CHECK(stalls.leaves(at(1200 * ms), 0) == at(1200 * ms));
  CHECK(stalls.leaves(at(1200 * ms), 1) == at(2500 * ms + 2000));
  // 2 MB/s for 100 of every 300 ms, else 1 MB/s: 1 MB from 50 ms on.
  const Schedule repeats({at(0), at(100 * ms)}, {2e6, 1e6}, span(300 * ms));
  CHECK(repeats.leaves(at(50 * ms), 1e6) == at(800 * ms));
  const Schedule ends({at(0), at(ms)}, {1e6, 0});
  CHECK(ends.leaves(at(0), 1001) == Time::never());
}

TEST_CASE("a schedule of one value is a constant") {
  const Schedule one({at(0), at(333), at(7000)}, {3e6, 3e6, 3e6}, span(10'000));
  for (const std::int64_t bytes : {1, 29, 1000, 123'457})
    CHECK(std::abs((one.leaves(at(5), static_cast<double>(bytes)) - at(5) -
                    Duration::seconds(static_cast<double>(bytes) / 3e6))
                       .ns()) <= 1);
}

TEST_CASE("other lists are no schedule") {
  CHECK_THROWS_AS(Schedule({}, {}), std::invalid_argument);
  CHECK_THROWS_AS(Schedule({at(0)}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(Schedule({at(5), at(5)}, {1, 2}), std::invalid_argument);
  CHECK_THROWS_AS(Schedule({at(0), at(5)}, {1, 2}, span(5)), std::invalid_argument);
}

}  // namespace lagnet::schedule_test
