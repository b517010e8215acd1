#include "scenarios/format/result_columns.hpp"

#include <catch2/catch.hpp>

namespace lagnet::amounts_test {

TEST_CASE("amounts have their units") {
  CHECK(amount_text(182.4, "simulated_s") == "182 s");
  CHECK(amount_text(1'234'567, "bytes") == "1.23 MB");
  CHECK(amount_text(999, "bytes") == "999 B");
  CHECK(amount_text(340, "round") == "340 rounds");
  CHECK(amount_text(12, "messages") == "12 messages");
}

}  // namespace lagnet::amounts_test
