#include "algorithms/asynchronous/compass_schedule.hpp"

#include <catch2/catch.hpp>

namespace lagnet::compass_schedule_test {

using Next = CompassSchedule::Next;

TEST_CASE("a client without a group founds one, and a slower one joins it with the steps that it has time for") {
  CompassSchedule schedule({.Q1 = 2, .Q2 = 10, .latest_factor = 1.5}, 3);
  CompassSchedule::Group group = 0;
  for (const AgentId k : {1, 2}) schedule.start(k, 0);
  CHECK(schedule.arrived(1, 10, group) == Next::alone);  // 1 s a step
  CHECK(schedule.assign(1, 10) == 10);                   // expected at 20, at the latest at 25
  CHECK(schedule.next_expiry()->at == 25);
  CHECK(schedule.arrived(2, 14.5, group) == Next::alone);  // 1.45 s a step
  CHECK(schedule.assign(2, 14.5) == 3);                    // floor(5.5 / 1.45)
  CHECK(schedule.group_of(2) == schedule.group_of(1));
  CHECK(schedule.arrived(2, 18.85, group) == Next::wait);
  CHECK(schedule.arrived(1, 20, group) == Next::close);
  CHECK(schedule.close(group) == std::vector<AgentId>{1, 2});  // the fastest first
  CHECK_FALSE(schedule.next_expiry());
}

TEST_CASE("what comes after the latest time waits for another aggregation, and its group is gone") {
  CompassSchedule schedule({.Q1 = 1, .Q2 = 4, .latest_factor = 1, .momentum = 1}, 3);
  CompassSchedule::Group group = 0;
  for (const AgentId k : {1, 2}) schedule.start(k, 0);
  schedule.arrived(1, 4, group);
  schedule.assign(1, 4);  // expected, and at the latest, at 8
  schedule.arrived(2, 6, group);
  CHECK(schedule.assign(2, 6) == 1);  // 1.5 s a step
  CHECK(schedule.arrived(1, 8, group) == Next::wait);
  CHECK(schedule.close(schedule.next_expiry()->group) == std::vector<AgentId>{1});
  CHECK(schedule.arrived(2, 9, group) == Next::buffer);
  CHECK(schedule.group_of(2) == -1);
}

}  // namespace lagnet::compass_schedule_test
