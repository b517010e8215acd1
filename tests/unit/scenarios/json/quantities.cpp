#include "scenarios/json/quantities.hpp"

#include <catch2/catch.hpp>

namespace lagnet::quantities_test {

TEST_CASE("a number with a unit is read in the unit of its key") {
  CHECK(number_with_unit("latency_ms", "50") == 50);
  CHECK(number_with_unit("latency_ms", "50ms") == 50);
  CHECK(number_with_unit("latency_ms", "0.5 s") == 500);
  CHECK(number_with_unit("up_bytes_per_s", "10Mbit") == 1.25e6);
  for (const char* text : {"", "fast", "50 parsecs", "10Mbit"}) CHECK_FALSE(number_with_unit("latency_ms", text));
  CHECK_FALSE(number_with_unit("step", "50"));
  CHECK(known_units("latency_ms") == "min, ms, s, us");
  CHECK(known_units("step").empty());
  CHECK(unit_of_key("simulated_s") == "s");
}

}  // namespace lagnet::quantities_test
