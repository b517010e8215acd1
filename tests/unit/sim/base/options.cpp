#include "sim/base/options.hpp"

#include <array>
#include <catch2/catch.hpp>

namespace lagnet::options_test {

namespace {

enum class Color { red, green, unnamed };
constexpr auto spellings(Color) { return std::array{Spelling{Color::red, "red"}, Spelling{Color::green, "green"}}; }

}  // namespace

TEST_CASE("limits are put in words") {
  CHECK(limits_words({}).empty());
  CHECK(limits_words(at_least(1)) == "at least 1");
  CHECK(limits_words(above(0.5)) == "above 0.5");
  CHECK(limits_words(within(0, 1)) == "from 0 to 1");
  CHECK(limits_words(above(0).or_word("theory")) == "above 0, or theory");
  CHECK(limits_words(any_value().or_word("theory")) == "or theory");
  CHECK(limits_words({.high = 2}) == "at most 2");
  CHECK(limits_words({.low = 0, .high = 1, .high_excluded = true}) == "at least 0 and below 1");
  CHECK(limits_words(between(0, 1)) == "above 0 and below 1");
  CHECK(limits_words(above_to(0, 1)) == "above 0 and at most 1");
}

TEST_CASE("limits contain their ends unless these are excluded") {
  CHECK(within(0, 1).contains(0));
  CHECK(within(0, 1).contains(1));
  CHECK_FALSE(above_to(0, 1).contains(0));
  CHECK(above_to(0, 1).contains(1));
  CHECK_FALSE(between(0, 1).contains(0));
  CHECK_FALSE(between(0, 1).contains(1));
  CHECK(between(0, 1).contains(0.5));
}

TEST_CASE("an enumerator has the name beside it, and one without a name is an internal error") {
  CHECK(spelled(Color::green) == "green");
  CHECK_THROWS_AS(spelled(Color::unnamed), InternalError);
}

}  // namespace lagnet::options_test
