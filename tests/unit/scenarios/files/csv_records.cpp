#include "scenarios/files/csv_records.hpp"

#include <catch2/catch.hpp>

namespace lagnet::csv_records_test {

TEST_CASE("a line of CSV quotes as RFC 4180 requires") {
  CHECK(csv_line({"a", "", "1.5"}) == "a,,1.5\n");
  CHECK(csv_line({"a,b", "say \"no\"", "two\nlines"}) == "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

}  // namespace lagnet::csv_records_test
