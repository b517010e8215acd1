#include "sim/base/types.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::types_test {

TEST_CASE("Durations take the nearest whole nanosecond, halves away from zero") {
  CHECK(Duration::seconds(1.5).ns() == 1'500'000'000);
  CHECK(Duration::seconds(1.4e-9).ns() == 1);
  CHECK(Duration::seconds(1.6e-9).ns() == 2);
  CHECK(Duration::nanoseconds(-7).ns() == -7);
  CHECK(Duration::milliseconds(0.0000025).ns() == 3);  // 2.5 ns, and the product is exactly 2.5
  CHECK(Duration::milliseconds(20).ns() == 20'000'000);
}

TEST_CASE("Sums of many durations are exact in any order") {
  // A double holding seconds loses the nanosecond here: 1e9 s + 1 ns needs 60 bits.
  const Duration billion_seconds = Duration::seconds(1e9), tick = Duration::nanoseconds(1);
  const Time forward = Time() + billion_seconds + tick, backward = Time() + tick + billion_seconds;
  CHECK(forward == backward);
  CHECK((forward - (Time() + billion_seconds)).ns() == 1);
}

TEST_CASE("Times and durations subtract and compare by their nanoseconds") {
  const Time early = Time::nanoseconds(10), late = Time::nanoseconds(25);
  CHECK(early < late);
  CHECK((late - early).ns() == 15);
  CHECK((early - late) < Duration());
  CHECK((Duration::nanoseconds(5) - Duration::nanoseconds(7)).ns() == -2);
  Duration total;
  total += Duration::nanoseconds(3);
  total += Duration::nanoseconds(4);
  CHECK(total == Duration::nanoseconds(7));
}

TEST_CASE("No moment comes after never") {
  CHECK(Time::nanoseconds(std::numeric_limits<std::int64_t>::max() - 1) < Time::never());
}

TEST_CASE("Seconds of a time are its nanoseconds divided by a billion") {
  CHECK(Time::nanoseconds(2'500'000'000).in_seconds() == 2.5);
  CHECK(Time::nanoseconds(213'176'440'001).in_seconds() == 213.176440001);
  CHECK(Duration::nanoseconds(9'000'000).in_seconds() == 0.009);  // 9e6 * 1e-9 is 0.009000000000000001
  CHECK(Duration::nanoseconds(1'000).in_seconds() == 1e-6);
}

TEST_CASE("A duration or a sum beyond the range is the longest duration") {
  CHECK(Duration::seconds(1e300) == Duration::longest());
  CHECK(Duration::milliseconds(std::numeric_limits<double>::infinity()) == Duration::longest());
  CHECK(Duration::seconds(9e9) < Duration::longest());
  CHECK(Duration::longest() + Duration::longest() == Duration::longest());
  CHECK(Duration::longest() + Duration::nanoseconds(-1) < Duration::longest());
  CHECK(saturated(Time() + Duration::longest(), Duration::longest()) == Time::never());
}

}  // namespace lagnet::types_test
