#include "scenarios/compare/golden.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::golden_test {

namespace {

/// The sentences of the only verdict of a folder.
std::vector<std::string> differences_in(const TestFolder& folder, bool update = false) {
  const auto verdicts = check_goldens(folder.path(), {.update = update});
  REQUIRE(verdicts.size() == 1);
  CHECK(verdicts[0].name == "small");
  return as_json(verdicts[0])["differences"];
}

}  // namespace

TEST_CASE("a golden that was just made has no difference, and a changed one is named by its pointer") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  const auto differences = [&](bool update) { return differences_in(folder, update); };
  CHECK(differences(false) == std::vector<std::string>{"small.golden.json is missing: `lagnet check " +
                                                       folder.path().string() + " --update` writes it"});
  CHECK(differences(true).empty());
  CHECK(differences(false).empty());

  Json golden = Json::parse(read_file(folder.path() / "small.golden.json"));
  const std::string flops = golden["runs"][0]["totals"]["flops"].dump();
  golden["runs"][0].erase("trace_hash");
  golden["runs"][0]["totals"]["flops"] = 1;
  golden["runs"][0]["more"] = true;
  folder.write("small.golden.json", golden.dump());
  CHECK(differences(false) == std::vector<std::string>{"/totals/flops: expected 1, found " + flops, "/more: gone",
                                                       "/trace_hash: not in the golden"});
}

TEST_CASE("rows that differ are counted by column, with the first of them") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  const auto differences = [&](const Json& golden) {
    folder.write("small.golden.json", golden.dump());
    return differences_in(folder);
  };
  check_goldens(folder.path(), {.update = true});
  const Json made = Json::parse(read_file(folder.path() / "small.golden.json"));
  const std::vector<std::string> columns = made["runs"][0]["columns"];
  const auto objective = static_cast<std::size_t>(std::ranges::find(columns, "objective") - columns.begin());

  Json changed = made;
  for (const std::size_t row : {1, 3}) changed["runs"][0]["rows"][row][objective] = 0.5;
  const std::string found = made["runs"][0]["rows"][1][objective].dump();
  CHECK(differences(changed) ==
        std::vector<std::string>{"objective: 2 of 4 rows differ, first row 2 (round 4): expected 0.5, found " + found});
  CHECK(as_json(check_goldens(folder.path(), {})[0])["parts"] == Json::array({{{"code", "column"},
                                                                               {"where", "objective"},
                                                                               {"rows", 4},
                                                                               {"differing", 2},
                                                                               {"row", 2},
                                                                               {"round", 4},
                                                                               {"expected", "0.5"},
                                                                               {"found", found}}}));

  changed["runs"][0]["columns"][objective] = "old";
  changed["runs"][0]["rows"].push_back(made["runs"][0]["rows"][0]);
  CHECK(differences(changed) == std::vector<std::string>{"rows: expected 5, found 4", "old: gone"});

  changed["runs"][0]["rows"] = "none";  // written by hand
  CHECK(differences(changed).size() == 2);
  changed["runs"] = 1;
  CHECK(differences(changed) == std::vector<std::string>{"runs: not a list"});
}

TEST_CASE("a column that a golden does not list is no difference") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  check_goldens(folder.path(), {.update = true});
  Json golden = Json::parse(read_file(folder.path() / "small.golden.json"));
  Json& run = golden["runs"][0];
  const auto differences = [&] {
    folder.write("small.golden.json", golden.dump());
    return differences_in(folder);
  };
  for (const std::size_t place : {3u, 0u}) {  // one in the midst, and that of the round
    run["columns"].erase(place);
    for (Json& row : run["rows"]) row.erase(place);
    CHECK(differences().empty());
  }
  const Json objective = run["rows"][1][1];
  run["rows"][1][1] = 0.5;
  CHECK(differences() == std::vector<std::string>{"objective: 1 of 4 rows differ, first row 2 (round 4): expected 0.5, "
                                                  "found " +
                                                  objective.dump()});
  run["rows"][1][1] = objective;
  run["columns"].push_back("unknown");
  for (Json& row : run["rows"]) row.push_back(1);
  CHECK(differences() == std::vector<std::string>{"unknown: gone"});
}

TEST_CASE("an invalid golden is named") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  const auto said = [&](const std::string& text) {
    folder.write("small.golden.json", text);
    try {
      check_goldens(folder.path(), {});
    } catch (const OutputError& error) {
      const std::string what = error.what();
      return what.substr(what.find(", found ") + 8);
    }
    return std::string();
  };
  CHECK(said("") == "an empty file");
  CHECK(said("[]") == "a list");
  CHECK(said("{}") == "an object without the key runs");
  CHECK(said(R"({"a": 1, "b": 2})") == "an object without the key runs, with a, b");
  CHECK(said(small_scenario().document.dump()) == "a scenario");
  CHECK(said("{\"runs\": [1,]}") ==
        "no JSON: line 1, column 12: expected no comma after the last member, found a trailing comma");
}

TEST_CASE("a stated tolerance outlives an update") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  folder.write("small.golden.json", R"({"relative_tolerance": 0.125})");
  CHECK_THROWS_AS(check_goldens(folder.path(), {}), OutputError);  // there is nothing to compare with
  check_goldens(folder.path(), {.update = true});
  CHECK(Json::parse(read_file(folder.path() / "small.golden.json"))["relative_tolerance"] == 0.125);
}

TEST_CASE("beside a scenario that is wrong no golden is written") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  folder.write("wrong.json", "{}");
  CHECK_THROWS_AS(check_goldens(folder.path(), {.update = true}), Diagnosed);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "small.golden.json"));
}

TEST_CASE("a golden other than a JSON object is an error") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  folder.write("small.golden.json", "[]");
  CHECK_THROWS_AS(check_goldens(folder.path(), {}), OutputError);
}

}  // namespace lagnet::golden_test
