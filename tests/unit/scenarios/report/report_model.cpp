#include "scenarios/report/report_model.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <limits>
#include <utility>

#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/report/report_presentation.hpp"
#include "scenarios/report/report_tables.hpp"
#include "scenarios/report/scenario_differences.hpp"

namespace lagnet::report_model_test {

TEST_CASE("differences have the pointer of the smallest differing value") {
  const Json a = Json::parse(R"({"seed": 1, "topology": {"kind": "ring", "agents": 9}, "stop": {"rounds": 5}})");
  const Json b = Json::parse(R"({"seed": 2, "topology": {"kind": "ring", "agents": 9}, "stop": {"rounds": 5}})");
  const Json c = Json::parse(R"({"seed": 2, "topology": {"kind": "star", "agents": 9, "center": 0}, "stop": null})");
  CHECK(scenario_differences({&a, &a}) == Json::array());
  CHECK(scenario_differences({&a, &b}) == Json::parse(R"([{"pointer": "/seed", "values": ["1", "2"]}])"));
  CHECK(scenario_differences({&a, &b, &c}) == Json::parse(R"json([
    {"pointer": "/seed", "values": ["1", "2", "2"]},
    {"pointer": "/topology/kind", "values": ["ring", "ring", "star"]},
    {"pointer": "/topology/center", "values": ["(none)", "(none)", "0"]
},
    {"pointer": "/stop", "values": ["{\"rounds\":5}", "{\"rounds\":5}", "null"]}])json"));
}

TEST_CASE("tables of a report have the rows asked for, and constant columns once") {
  constexpr double nothing = std::numeric_limits<double>::quiet_NaN(),
                   endless = std::numeric_limits<double>::infinity();
  const ProgressTable table{{"round", "error", "lost", "empty"},
                            {{0, 5, 10}, {1, endless, 0.123456789}, {3e9, 3e9, 3e9}, {nothing, nothing, nothing}}};
  CHECK(report_table(table, {0, 1, 2}, {"round", "error", "lost", "empty", "other"}, 4) == Json::parse(R"(
    {"rows": 3, "columns": {"round": [0, 5, 10], "error": [1, null, 0.1235], "lost": 3000000000, "empty": null}})"));
  CHECK(report_table(table, {0, 2}, {"round"}, 4) == Json::parse(R"({"rows": 2, "columns": {"round": [0, 10]}})"));
  CHECK(varying_columns(table) == 2);
}

TEST_CASE("a statement that needs runs which are not there is left open, and the others are decided") {
  const TemporaryFolder sweep("open statement");
  std::ofstream(sweep.path() / "scenario.json") << R"({"expect": [
    {"kind": "bound", "statement": "rings end", "metric": "error", "where": {"/topology/kind": "ring"}, "at_most": 1},
    {"kind": "bound", "statement": "stars end", "metric": "error", "where": {"/topology/kind": "star"}, "at_most": 1,
     "source": "figure 1"}]})";
  RecordedRun run;
  run.folder = sweep.path() / "000";
  run.point = {{"/topology/kind", "ring"}};
  run.scenario = Json::parse(R"({"seed": 1, "topology": {"kind": "ring"}})");
  run.progress = {{"round", "error"}, {{0, 1}, {3, 0.5}}};
  const Json claims = report_presentation({run}).claims;
  CHECK(claims[0]["holds"] == true);
  CHECK(claims[0]["measured"] == "0.5");
  CHECK(claims[1]["holds"].is_null());
  CHECK(claims[1]["measured"] == R"(expected runs with {"/topology/kind":"star"}, found none)");
  CHECK(claims[1]["source"] == "figure 1");
}

TEST_CASE("the smallest error comes from the summary, or from the certificate's bound") {
  const TemporaryFolder folder("smallest error");
  const auto told = [&](const char* optimum) {
    RecordedRun run;
    run.folder = folder.path();
    run.label = "run";
    run.scenario = Json::parse(R"({"seed": 1, "topology": {"kind": "ring"}, "record": {}})");
    // So many agents have no graph, and no tables are read.
    run.summary = Json::parse(R"({"topology": {"agents": 1000000}, "stop": {}, "totals": {}, "objective_start": 3})");
    run.summary["optimum"] = Json::parse(optimum);
    run.progress = {{"round"}, {{0, 1}}};
    std::ofstream(folder.path() / "scenario.json") << run.scenario;
    RecordedRuns recorded;
    recorded.runs.push_back(std::move(run));
    return report_model(recorded, {}).at("runs")[0].at("smallest_error");
  };
  CHECK(told(R"({"value": null})").is_null());
  CHECK(told(R"({"value": 1, "smallest_error": 2e-13})") == 2e-13);
  CHECK(told(R"({"value": 1, "certificate": "kkt_residual", "certificate_relative": 1e-12})") == 1e-16);
  // The gap is relative to F(0) = 3; F(0) - F* = 2.
  CHECK(told(R"({"value": 1, "certificate": "duality_gap", "certificate_relative": 2e-12})").get<double>() ==
        Approx(3e-12));
  CHECK(told(R"({"value": 1, "certificate": "duality_gap", "certificate_relative": 1e-20})") == 1e-16);
}

}  // namespace lagnet::report_model_test
