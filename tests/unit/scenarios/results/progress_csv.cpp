#include "scenarios/results/progress_csv.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
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

TEST_CASE("progress.csv grows row by row while a run goes on") {
  const Experiment assembly = assembled("{}");
  const TemporaryFolder place("progress");
  ProgressFile file(assembly, place.path());
  const auto lines = [&] { return std::ranges::count(read_file(place.path() / "progress.csv"), '\n'); };
  std::int64_t rows = 0;
  RunOptions options;
  options.row = [&](const Row& row) {
    file.add(row);
    CHECK(lines() == 1 + ++rows);
  };
  const Outcome outcome = run(assembly, options);
  CHECK(rows == std::ssize(outcome.rows));
  CHECK(rows > 1);
}

TEST_CASE("a progress.csv that cannot be written is an error at once") {
  const Experiment assembly = assembled("{}");
  CHECK_THROWS_AS(ProgressFile(assembly, "/nowhere"), OutputError);
}

}  // namespace lagnet::progress_csv_test
