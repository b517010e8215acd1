#include "scenarios/json/quantities.hpp"

#include <catch2/catch.hpp>

namespace lagnet::units_test {

TEST_CASE("for a text with a unit the error proposes the number") {
  CHECK(unit_hint("/network/latency_ms", "50ms") == " (write 50: latency_ms is in ms)");
  CHECK(unit_hint("/network/latency_ms", "0.05 s") == " (write 50: latency_ms is in ms)");
  CHECK(unit_hint("/stop/simulated_s", "2 min") == " (write 120: simulated_s is in s)");
  CHECK(unit_hint("/network/up_bytes_per_s", "10Mbit/s") == " (write 1250000: up_bytes_per_s is in bytes per second)");
}

TEST_CASE("for the name of a column the error proposes the right key") {
  CHECK(unit_hint("/data/label_column", "y") == " (the name of a column belongs to label_name)");
}

TEST_CASE("a text without a number, or without a unit that is known, has no hint") {
  CHECK(unit_hint("/network/latency_ms", "fast").empty());
  CHECK(unit_hint("/network/latency_ms", "50 parsecs").empty());
  CHECK(unit_hint("/algorithm/step", "50ms").empty());
  CHECK(unit_hint("", "").empty());
}

}  // namespace lagnet::units_test
