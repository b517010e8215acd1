#include <catch2/catch.hpp>

#include "scenarios/compare/tables/paired.hpp"

namespace lagnet::paired_test {

TEST_CASE("the bootstrap interval of a mean has the ends that all resamples together give") {
  // The sums of three draws from 0, 1, 5 are, in order, 0 1 2 3 5 6 7 10 11 15 with 1 3 3 1 3 6 3 3 3 1 chances of 27.
  // 0.1 lies between the first 1/27 and the first 4/27, 0.9 between 23/27 and 26/27, each by more than 0.046, which is
  // fifteen standard errors of the share of 10,000 resamples.
  const MeanInterval interval = bootstrap_mean({0, 1, 5}, {.confidence = 0.8});
  CHECK(interval.count == 3);
  CHECK(interval.mean == 2);
  CHECK(interval.low == 1.0 / 3);
  CHECK(interval.high == 11.0 / 3);
}

TEST_CASE("the bootstrap's draws follow only from its seed") {
  const std::vector<double> values{0.3, -1.7, 2.2, 0.9, 4.1, -0.6, 1.3};
  const MeanInterval one = bootstrap_mean(values, {}), again = bootstrap_mean(values, {});
  const MeanInterval other = bootstrap_mean(values, {.seed = 2});
  CHECK(one.low == again.low);
  CHECK(one.high == again.high);
  CHECK(one.low != other.low);
}

TEST_CASE("values that are the same have an interval of no width, a single one none, and no values no mean") {
  const MeanInterval same = bootstrap_mean({3, 3, 3}, {});
  CHECK(same.low == 3);
  CHECK(same.high == 3);
  const MeanInterval single = bootstrap_mean({3}, {});
  CHECK(single.mean == 3);
  CHECK(!single.low);
  CHECK(!bootstrap_mean({}, {}).mean);
  CHECK(!bootstrap_ratio({}, {}).mean);
}

TEST_CASE("ratios have a geometric mean") {
  // Resamples of two have the means 1, 2 and 4, the ends with a chance of a quarter each.
  const MeanInterval interval = bootstrap_ratio({1, 4}, {});
  // 1e-15: a logarithm and an exponential, each within a unit in the last place.
  CHECK(interval.mean.value() == Approx(2).epsilon(1e-15));
  CHECK(interval.low.value() == Approx(1).epsilon(1e-15));
  CHECK(interval.high.value() == Approx(4).epsilon(1e-15));
}

TEST_CASE("the Pareto front holds all unbeaten series, equal ones included") {
  CHECK(on_pareto_front({{1, 9}, {2, 5}, {3, 5}, {4, 4}, {4, 4}, {9, 9}}) ==
        std::vector<bool>{true, true, false, true, true, false});
  CHECK(on_pareto_front({}).empty());
}

}  // namespace lagnet::paired_test
