#include "scenarios/outcome.hpp"

#include <catch2/catch.hpp>

#include "scenarios/result_folder.hpp"
#include "scenarios/run.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

using namespace lagnet;

namespace {

Assembly assembled(const std::string& changes) {
  AssemblyCache cache;
  const ScenarioFile file = small_scenario(changes);
  return assemble(read_scenario(file), file.shown, cache);
}

}  // namespace

TEST_CASE("a line of CSV quotes what RFC 4180 wants quoted") {
  CHECK(csv_line({"a", "", "1.5"}) == "a,,1.5\n");
  CHECK(csv_line({"a,b", "say \"no\"", "two\nlines"}) == "\"a,b\",\"say \"\"no\"\"\",\"two\nlines\"\n");
}

TEST_CASE("cells become JSON numbers, and null where JSON has none") {
  CHECK(number_of_cell("12") == Json(12));
  CHECK(number_of_cell("12").is_number_integer());
  CHECK(number_of_cell("1e-300") == Json(1e-300));
  for (const char* cell : {"", "inf", "-inf", "nan"}) CHECK(number_of_cell(cell).is_null());
}

TEST_CASE("every row has a value for each column, and a double reads back as itself") {
  const Assembly assembly = assembled("{}");
  const Outcome outcome = run(assembly);
  const auto columns = progress_columns(*assembly.algorithm);
  for (const Row& row : outcome.rows) {
    const auto values = progress_values(row);
    REQUIRE(values.size() == columns.size());
    CHECK(std::stod(values[2]) == row.objective);
  }
}

TEST_CASE("the files of a run are its scenario, tables and summary, which knows the scenario's checksum") {
  const Assembly assembly = assembled("{}");
  const auto files = render(assembly, run(assembly), "/nowhere");
  std::vector<std::string> names;
  for (const auto& [name, content] : files) names.push_back(name);
  CHECK(names == std::vector<std::string>{"agents.csv", "links.csv", "progress.csv", "scenario.json", "summary.json"});
  const Json facts = Json::parse(files.at("summary.json"));
  CHECK(facts["scenario_crc32"] == checksum(files.at("scenario.json")));
  CHECK(facts["status"] == "done");
  CHECK(facts["stop"]["round"] == 12);
}

TEST_CASE("a diverged run's summary has null where a number is not finite") {
  const Assembly assembly = assembled(R"({"algorithm": {"sigma": 1e8, "tau": 1e8}, "stop": {"rounds": 10000}})");
  const auto files = render(assembly, run(assembly), "/nowhere");
  const Json facts = Json::parse(files.at("summary.json"));
  CHECK(facts["status"] == "diverged");
  CHECK(facts["last_row"]["objective"].is_null());
}

TEST_CASE("a missing optimum is explained, a certified or unwanted one is not") {
  const Optimum good{Vector::Zero(1), 1, {"duality_gap", 1e-12, ""}},
      rough{Vector::Zero(1), 1, {"duality_gap", 1e-3, ""}};
  const Optimum none{Vector::Zero(1), 0, {"no_minimizer", INFINITY, ""}};
  CHECK(!missing_optimum(nullptr));
  CHECK(!missing_optimum(&good));
  CHECK(missing_optimum(&rough) == "no certified optimum (duality_gap: 0.001): relative_error is empty");
  CHECK(missing_optimum(&none) == "no minimizer exists (separable data): relative_error is empty");
}
