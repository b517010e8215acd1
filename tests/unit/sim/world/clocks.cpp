#include "sim/world/clocks.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "sim/base/draws.hpp"

namespace lagnet::clocks_test {

TEST_CASE("The gaps of a Poisson clock belong to the agent and their number") {
  const Clocks clocks = Clocks::poisson(Duration::milliseconds(100));
  for (const std::int64_t n : {0, 1, 77})
    CHECK(clocks.gap(5, 3, n) == Duration::seconds(0.1 * Draws(5, Purpose{"clock"}, 3, n).exponential()));
  CHECK(clocks.gap(5, 3, 0) != clocks.gap(5, 2, 0));
  CHECK(clocks.gap(5, 3, 0) != clocks.gap(6, 3, 0));
  CHECK(Clocks::poisson(Duration::nanoseconds(1)).gap(1, 0, 0) >= Duration::nanoseconds(1));
}

TEST_CASE("The gaps of a Poisson clock have its mean") {
  const Clocks clocks = Clocks::poisson(Duration::seconds(2));
  constexpr int count = 40'000;
  double sum = 0;
  for (int n = 0; n < count; ++n) sum += clocks.gap(1, 0, n).in_seconds();
  // The standard deviation of the mean is 2 / sqrt(count) = 0.01; five of them.
  CHECK(std::abs(sum / count - 2) < 0.05);
}

TEST_CASE("A periodic clock has the agent's period, which is above 0") {
  const Clocks clocks = Clocks::periodic({Duration::nanoseconds(4), Duration::nanoseconds(9)});
  CHECK(clocks.gap(1, 1, 12) == Duration::nanoseconds(9));
  CHECK_THROWS_AS(Clocks::periodic({Duration::nanoseconds(4), Duration()}), std::invalid_argument);
  CHECK_THROWS_AS(Clocks::poisson(Duration()), std::invalid_argument);
}

}  // namespace lagnet::clocks_test
