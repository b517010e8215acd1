#include "scenarios/words/words.hpp"

#include <catch2/catch.hpp>
#include <limits>

namespace lagnet::words_test {

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

TEST_CASE("sizes have three digits and a prefix") {
  CHECK(size_text(999) == "999 B");
  CHECK(size_text(1'234'567) == "1.23 MB");
  CHECK(size_text(2e18) == "2000 PB");
}

TEST_CASE("durations are in seconds up to 100, in minutes up to 100, and then in hours and minutes") {
  CHECK(duration_text(42.4) == "42 s");
  CHECK(duration_text(720) == "12 min");
  CHECK(duration_text(11'400) == "3 h 10 min");
  CHECK(duration_text(3600 * 3 - 1) == "3 h 0 min");
}

TEST_CASE("one thing has no plural") {
  CHECK(counted(1, "run") == "1 run");
  CHECK(counted(0, "run") == "0 runs");
  CHECK(counted(3, "run") == "3 runs");
}

TEST_CASE("of a long list the first texts are named") {
  CHECK(first_of({}, 2).empty());
  CHECK(first_of({"a", "b"}, 2) == "a, b");
  CHECK(first_of({"a", "b", "c"}, 2) == "a, b, and 1 more");
  CHECK(first_of({"a", "b", "c"}, 1, " ") == "a and 2 more");
}

}  // namespace lagnet::words_test
