#include "scenarios/files/csv_records.hpp"

#include <catch2/catch.hpp>

namespace lagnet::csv_records_test {

TEST_CASE("a line of CSV quotes what RFC 4180 wants quoted") {
  CHECK(csv_line({"a", "", "1.5"}) == "a,,1.5\n");
  CHECK(csv_line({"a,b", "say \"no\"", "two\nlines"}) == "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

}  // namespace lagnet::csv_records_test
