#include "sim/realtime/work_time.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace lagnet::work_time_test {

TEST_CASE("work of any size is done often enough to be timed") {
  int times = 0;
  const double seconds = seconds_of_work([&] { ++times; });
  CHECK(std::isfinite(seconds));
  CHECK(seconds > 0);
  CHECK(times >= 1 + 5);  // at least once to find how often, and five times for the median
}

}  // namespace lagnet::work_time_test
