#include "scenarios/compare/golden.hpp"

#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::golden_test {

TEST_CASE("a golden that was just made has no difference, and a changed one is named by its pointer") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  const auto differences = [&](bool update) {
    const auto verdicts = check_goldens(folder.path(), update);
    REQUIRE(verdicts.size() == 1);
    CHECK(verdicts[0].name == "small");
    return verdicts[0].differences;
  };
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
  CHECK(differences(false) == std::vector<std::string>{"/0/totals/flops: expected 1, found " + flops, "/0/more: gone",
                                                       "/0/trace_hash: not in the golden"});
}

TEST_CASE("a stated tolerance outlives an update") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  folder.write("small.golden.json", R"({"relative_tolerance": 0.125})");
  CHECK_THROWS_AS(check_goldens(folder.path(), false), OutputError);  // there is nothing to compare with
  check_goldens(folder.path(), true);
  CHECK(Json::parse(read_file(folder.path() / "small.golden.json"))["relative_tolerance"] == 0.125);
}

TEST_CASE("beside a scenario that is wrong no golden is written") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  folder.write("wrong.json", "{}");
  CHECK_THROWS_AS(check_goldens(folder.path(), true), ScenarioError);
  CHECK_FALSE(std::filesystem::exists(folder.path() / "small.golden.json"));
}

TEST_CASE("a golden that is no JSON object is an error") {
  const TestFolder folder;
  folder.write("small.json", small_scenario().document.dump());
  folder.write("small.golden.json", "[]");
  CHECK_THROWS_AS(check_goldens(folder.path(), false), OutputError);
}

}  // namespace lagnet::golden_test
