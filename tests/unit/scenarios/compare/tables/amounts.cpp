#include "scenarios/compare/tables/amounts.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::amounts_test {

TEST_CASE("levels are powers of ten where they are small") {
  CHECK(level_text(1e-3) == "1e-3");
  CHECK(level_text(0.03) == "3e-2");
  CHECK(level_text(0.1) == "1e-1");
  CHECK(level_text(2.5e-7) == "2.5e-7");
  CHECK(level_text(1) == "1");
  CHECK(level_text(12.5) == "12.5");
  CHECK(level_text(0) == "0");
}

TEST_CASE("numbers have three digits, and an exponent where they are very small or large") {
  CHECK(short_number(182.4) == "182");
  CHECK(short_number(12.44) == "12.4");
  CHECK(short_number(1234) == "1234");
  CHECK(short_number(2) == "2");
  CHECK(short_number(0.0031) == "0.0031");
  CHECK(short_number(2.71e-9) == "2.71e-9");
  CHECK(short_number(0) == "0");
  CHECK(short_number(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("amounts have their units") {
  CHECK(amount_text(182.4, "simulated_s") == "182 s");
  CHECK(amount_text(1'234'567, "bytes") == "1.23 MB");
  CHECK(amount_text(999, "bytes") == "999 B");
  CHECK(amount_text(340, "round") == "340 rounds");
  CHECK(amount_text(12, "messages") == "12 messages");
}

}  // namespace lagnet::amounts_test
