#include "scenarios/results/progress_csv.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <string>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/assembly/assembled.hpp"

namespace lagnet::progress_csv_test {

TEST_CASE("every row has a value for each column, and a double reads back as itself") {
  const Experiment experiment = assembled("{}");
  const Outcome outcome = run(experiment);
  const auto columns = progress_columns(experiment);
  for (const Row& row : outcome.rows) {
    const auto values = progress_cells(row);
    REQUIRE(values.size() == columns.size());
    CHECK(std::stod(values[2]) == row.objective);
  }
}

TEST_CASE("the cells of a row as JSON are the numbers that they read as, and null where JSON has none") {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Row row;
  row.metrics = {3.0,
                 -0.0,
                 0.1,
                 1e-300,
                 1e15,
                 9999999999999998.0,
                 1e16,
                 -12345678901234568.0,
                 inf,
                 -inf,
                 std::numeric_limits<double>::quiet_NaN(),
                 std::nullopt};
  const auto cells = progress_cells(row);
  const Json numbers = progress_numbers(row);
  REQUIRE(numbers.size() == cells.size());
  for (std::size_t k = 0; k < cells.size(); ++k) {
    const Json read = Json::parse(cells[k], nullptr, false);
    CHECK(numbers[k].dump() == (read.is_discarded() ? "null" : read.dump()));
  }
}

TEST_CASE("progress.csv grows row by row while a run goes on") {
  const Experiment experiment = assembled("{}");
  const TemporaryFolder place("progress");
  ProgressFile file(experiment, place.path());
  const auto lines = [&] { return std::ranges::count(read_file(place.path() / "progress.csv"), '\n'); };
  std::int64_t rows = 0;
  RunOptions options;
  options.row = [&](const Row& row) {
    file.add(row);
    CHECK(lines() == 1 + ++rows);
  };
  const Outcome outcome = run(experiment, options);
  CHECK(rows == std::ssize(outcome.rows));
  CHECK(rows > 1);
}

TEST_CASE("a progress.csv that cannot be written is an error at once") {
  const Experiment experiment = assembled("{}");
  CHECK_THROWS_AS(ProgressFile(experiment, "/nowhere"), OutputError);
}

}  // namespace lagnet::progress_csv_test
