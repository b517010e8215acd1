#include "scenarios/files/csv_records.hpp"

#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::csv_records_test {

TEST_CASE("a line of CSV quotes as RFC 4180 requires") {
  CHECK(csv_line({"a", "", "1.5"}) == "a,,1.5\n");
  CHECK(csv_line({"a,b", "say \"no\"", "two\nlines"}) == "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

TEST_CASE("a CSV file of lagnet is read record by record up to the first mistake") {
  const TestFolder place;
  place.write("t.csv", "a,b\n1,\"x,y\"\n2\n");
  RecordedCsv records(place.path() / "t.csv");
  CHECK(records.header == std::vector<std::string>{"a", "b"});
  std::vector<std::string> cells;
  CHECK(records.next(cells));
  CHECK(cells == std::vector<std::string>{"1", "x,y"});
  CHECK_THROWS_WITH(records.next(cells), Catch::EndsWith("t.csv:3: expected 2 cells, as in the header, found 1"));
  place.write("t.csv", "a,b\n1,\"x\n");
  RecordedCsv open_quote(place.path() / "t.csv");
  CHECK_THROWS_AS(open_quote.next(cells), OutputError);
}

}  // namespace lagnet::csv_records_test
