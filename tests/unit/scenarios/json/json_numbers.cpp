#include "scenarios/json/json_numbers.hpp"

#include <catch2/catch.hpp>

namespace lagnet::json_numbers_test {

TEST_CASE("cells become JSON numbers, and null where JSON has none") {
  CHECK(number_of_cell("12") == Json(12));
  CHECK(number_of_cell("12").is_number_integer());
  CHECK(number_of_cell("1e-300") == Json(1e-300));
  for (const char* cell : {"", "inf", "-inf", "nan"}) CHECK(number_of_cell(cell).is_null());
}

}  // namespace lagnet::json_numbers_test
