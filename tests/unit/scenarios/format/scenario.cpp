#include "scenarios/format/scenario.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::scenario_test {

TEST_CASE("a resolved scenario reads back as the same scenario, with every default filled in") {
  const Scenario scenario = read_scenario(small_scenario());
  const Json written = write_scenario(scenario, "/nowhere");
  CHECK(written["seed"] == 1);
  CHECK(written["network"]["bandwidth_bytes_per_s"] == Json::parse(R"({"kind": "constant", "value": 125e6})"));
  CHECK(written["partition"] == Json::parse(R"({"kind": "features"})"));
  const Scenario again = read_scenario({"again.json", "/nowhere", written});
  CHECK(write_scenario(again, "/nowhere") == written);
}

TEST_CASE("a scenario without the section stop ends after 100 rounds") {
  CHECK(read_scenario(small_scenario(R"({"stop": null})")).stop.rounds == 100);
  CHECK(!read_scenario(small_scenario(R"({"stop": {"rounds": null, "simulated_s": 1}})")).stop.rounds);
}

TEST_CASE("paths are relative to the scenario file when read, and to the result folder when written") {
  const std::string changes = R"({
    "data": {"source": "libsvm", "path": "sets/a.libsvm", "samples": null, "features": null},
    "topology": {"kind": "edge_list", "path": "/elsewhere/e.csv", "agents": null}
  })";
  const ScenarioFile file = small_scenario(changes, "/project/scenarios");
  const Scenario scenario = read_scenario(file);
  CHECK(scenario.data.write()["path"] == "/project/scenarios/sets/a.libsvm");
  CHECK(scenario.topology.write()["path"] == "/elsewhere/e.csv");
  const Json written = write_scenario(scenario, "/project/runs/one");
  CHECK(written["data"]["path"] == "../../scenarios/sets/a.libsvm");
  CHECK(written["topology"]["path"] == "../../../elsewhere/e.csv");
  const Scenario again = read_scenario({"scenario.json", "/project/runs/one", written});
  CHECK(again.data.write() == scenario.data.write());
  CHECK(again.topology.write() == scenario.topology.write());
}

TEST_CASE("paths are found in every section, however deep") {
  const std::string changes = R"({
    "network": {"latency_ms": {"kind": "matrix", "path": "m.csv"}},
    "compute": {"speed_flops_per_s": {"kind": "trace", "path": "t.csv"}},
    "sweep": {"/network": [{"latency_ms": {"kind": "matrix", "path": "n.csv"}}],
              "/compute/speed_flops_per_s/path": ["u.csv"]}
  })";
  const ScenarioFile file = small_scenario(changes, "/project/scenarios");
  const Scenario scenario = read_scenario(file);
  CHECK(scenario.network.latency_ms.write()["path"] == "/project/scenarios/m.csv");
  CHECK(scenario.compute.speed_flops_per_s.write()["path"] == "/project/scenarios/t.csv");
  const Json written = write_scenario(scenario, "/project/runs/one");
  CHECK(written["network"]["latency_ms"]["path"] == "../../scenarios/m.csv");
  CHECK(written["compute"]["speed_flops_per_s"]["path"] == "../../scenarios/t.csv");
  const Json moved = relocated(file, "/project/runs");
  CHECK(moved["network"]["latency_ms"]["path"] == "../scenarios/m.csv");
  CHECK(moved["sweep"]["/network"][0]["latency_ms"]["path"] == "../scenarios/n.csv");
  CHECK(moved["sweep"]["/compute/speed_flops_per_s/path"][0] == "../scenarios/u.csv");
}

TEST_CASE("paths within lists are relative to the same folders as all others") {
  const std::string changes = R"({
    "topology": {"changes": {"kind": "graphs", "graphs": [
      {"from_s": 1, "topology": {"kind": "star", "agents": 5}},
      {"from_s": 2, "topology": {"kind": "edge_list", "path": "graphs/later.csv", "agents": 5}}]}},
    "participation": {"availability": [
      {"kind": "crash", "agent": 0, "at_s": 1}, {"kind": "trace", "path": "up.csv"},
      {"kind": "trace", "path": "/up.csv"}]},
    "sweep": {"/participation/availability": [[{"kind": "trace", "path": "other.csv"}]],
              "/topology/changes/graphs/1/topology/path": ["graphs/other.csv"]}
  })";
  const ScenarioFile file = small_scenario(changes, "/project/scenarios");
  const Scenario scenario = read_scenario(file);
  const Json read = write_fields(scenario), written = write_scenario(scenario, "/project/runs/one");
  const auto at = [](const Json& document, const char* pointer) {
    return document.at(Json::json_pointer(pointer)).get<std::string>();
  };
  const char *graph = "/topology/changes/graphs/1/topology/path", *trace = "/participation/availability/1/path",
             *elsewhere = "/participation/availability/2/path";
  CHECK(at(read, graph) == "/project/scenarios/graphs/later.csv");
  CHECK(at(read, trace) == "/project/scenarios/up.csv");
  CHECK(at(read, elsewhere) == "/up.csv");
  CHECK(at(written, graph) == "../../scenarios/graphs/later.csv");
  CHECK(at(written, trace) == "../../scenarios/up.csv");
  CHECK(at(written, elsewhere) == "../../../up.csv");
  const Scenario again = read_scenario({"scenario.json", "/project/runs/one", written});
  CHECK(write_fields(again) == read);
  const Json moved = relocated(file, "/project/runs");
  CHECK(at(moved, graph) == "../scenarios/graphs/later.csv");
  CHECK(at(moved["sweep"]["/participation/availability"][0][0], "/path") == "../scenarios/other.csv");
  CHECK(moved["sweep"][graph][0] == "../scenarios/graphs/other.csv");
}

TEST_CASE("the paths of a sweep move with its scenario") {
  const std::string changes = R"({"sweep": {
    "/data": [{"source": "csv", "path": "a.csv"}],
    "/topology/kind": ["edge_list"], "/topology/path": ["e.csv", "f.csv"],
    "points": [{"/compute/speed_flops_per_s": {"kind": "trace"}, "/compute/speed_flops_per_s/path": "t.csv"}]
  }})";
  const ScenarioFile file = small_scenario(changes, "/project/scenarios");
  const Json moved = relocated(file, "/project/runs"), &sweep = moved["sweep"];
  CHECK(sweep["/data"][0]["path"] == "../scenarios/a.csv");
  CHECK(sweep["/topology/path"] == Json({"../scenarios/e.csv", "../scenarios/f.csv"}));
  CHECK(sweep["points"][0]["/compute/speed_flops_per_s/path"] == "../scenarios/t.csv");
}

TEST_CASE("the paths of a full size move with its scenario, and other texts stay") {
  const std::string changes = R"({
    "name": "path", "topology": {"kind": "edge_list", "path": "e.csv", "agents": null},
    "full": {"/topology/path": "large.csv", "/data": {"source": "csv", "path": "a.csv", "label_name": "path"}},
    "expect": [{"kind": "bound", "statement": "s", "at_most": 1, "where": {"/name": {"path": "x"}}}]
  })";
  const Json moved = relocated(small_scenario(changes, "/project/scenarios"), "/project/runs");
  CHECK(moved["full"]["/topology/path"] == "../scenarios/large.csv");
  CHECK(moved["full"]["/data"]["path"] == "../scenarios/a.csv");
  CHECK(moved["full"]["/data"]["label_name"] == "path");
  CHECK(moved["expect"][0]["where"]["/name"]["path"] == "x");
}

TEST_CASE("a sweep is every combination, the last pointer fastest") {
  const auto points = sweep_points(small_scenario(R"({"sweep": {"/seed": [1, 2], "/stop/rounds": [3, 4, 5]}})"));
  REQUIRE(points.size() == 6);
  CHECK(points[4].values == std::vector<std::pair<std::string, Json>>{{"/seed", 2}, {"/stop/rounds", 4}});
  CHECK(points[4].file.document["seed"] == 2);
  CHECK(points[4].file.document["stop"]["rounds"] == 4);
  CHECK(!points[4].file.document.contains("sweep"));
}

TEST_CASE("a scenario without sweep is one point without values") {
  const auto points = sweep_points(small_scenario());
  REQUIRE(points.size() == 1);
  CHECK(points[0].values.empty());
}

TEST_CASE("problems of all sections come together, in the order of the format") {
  const auto file = small_scenario(R"({"seed": -1, "topology": {"agents": 0}, "record": {"evry": 2, "every": null}})");
  CHECK(scenario_problems([&] { read_scenario(file); }) ==
        "small.json: /seed: expected an integer at least 0, found -1\n"
        "small.json: /topology/agents: expected an integer at least 1, found 0\n"
        "small.json: /record/evry: expected one of the keys every, every_s, every_updates, trace, timeline, "
        "critical_path, timeline_window_s, "
        "file_budget_mb, model_every, holders, optimum, metrics, found \"evry\"; did you mean every?");
}

}  // namespace lagnet::scenario_test
