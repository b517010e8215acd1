#include "scenarios/json/document.hpp"

#include <catch2/catch.hpp>

#include <limits>

namespace lagnet::json_numbers_test {

TEST_CASE("numbers are null where JSON has none") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  CHECK(number_or_null(0.25) == Json(0.25));
  for (const double number : {inf, -inf, std::numeric_limits<double>::quiet_NaN()})
    CHECK(number_or_null(number).is_null());
  CHECK(number_or_null(std::nullopt).is_null());
}

}  // namespace lagnet::json_numbers_test
