#include "scenarios/results/progress_csv.hpp"

#include <catch2/catch.hpp>

#include <string>

#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::progress_csv_test {

TEST_CASE("every row has a value for each column, and a double reads back as itself") {
  const Experiment assembly = assembled("{}");
  const Outcome outcome = run(assembly);
  const auto columns = progress_columns(assembly);
  for (const Row& row : outcome.rows) {
    const auto values = progress_values(row);
    REQUIRE(values.size() == columns.size());
    CHECK(std::stod(values[2]) == row.objective);
  }
}

}  // namespace lagnet::progress_csv_test
