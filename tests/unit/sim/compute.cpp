#include "sim/compute.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace lagnet;

TEST_CASE("A computation takes flops/speed of its agent, to the nearest nanosecond") {
  const ComputeModel model({1e9, 4e9, 3e9});
  CHECK(model.time(0, 1000).ns() == 1000);
  CHECK(model.time(1, 1000).ns() == 250);
  CHECK(model.time(2, 1000).ns() == 333);  // 333.3
  CHECK(model.time(2, 2000).ns() == 667);  // 666.7
  CHECK(model.time(0, 0).ns() == 0);
}

TEST_CASE("An infinite speed makes computation free") {
  const ComputeModel model({std::numeric_limits<double>::infinity()});
  CHECK(model.time(0, std::int64_t{1} << 60) == Duration());
}

TEST_CASE("A speed that is not above 0 is refused with its agent and value") {
  CHECK_THROWS_WITH(ComputeModel({1.0, 0.0}), "agent 1: expected a speed above 0 flops per second, found 0");
  CHECK_THROWS_WITH(ComputeModel({-2.5}), "agent 0: expected a speed above 0 flops per second, found -2.5");
  CHECK_THROWS_AS(ComputeModel({std::numeric_limits<double>::quiet_NaN()}), std::invalid_argument);
}
