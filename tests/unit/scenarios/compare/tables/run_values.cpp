#include "scenarios/compare/tables/run_values.hpp"

#include <catch2/catch.hpp>

#include "scenarios/format/series_names.hpp"
#include "tests/unit/scenarios/results/recorded_folder.hpp"

namespace lagnet::run_values_test {

TEST_CASE("keys are written as settings are, and values read as JSON or taken as texts") {
  CHECK(key_pointer("topology.agents", "by") == "/topology/agents");
  CHECK(key_pointer("topology/agents", "by") == "/topology/agents");
  CHECK(key_pointer("/topology/agents", "by") == "/topology/agents");
  CHECK(key_value("topology.kind=ring", "where").value == "ring");
  CHECK(key_value("topology.agents=5", "where").value == 5);
  CHECK(key_value("/participation/availability=[]", "where").value == Json::array());
  const TestFolder place;
  CHECK(refusal(place, [] { key_value("topology.kind", "where"); }) ==
        "where: expected KEY=VALUE such as topology.agents=16, found topology.kind");
}

TEST_CASE("a constant is its number, and an object its kind") {
  const Json scenario = Json::parse(R"({"network": {"latency_ms": {"kind": "constant", "value": 50.0}},
                                        "algorithm": {"kind": "extra", "step": 1}})");
  CHECK(simple_value(scenario, "/network/latency_ms") == 50);
  CHECK(simple_value(scenario, "/network/jitter_ms").is_null());
  CHECK(has_value(scenario, {"/network/latency_ms", 50}));
  CHECK(has_value(scenario, {"/algorithm", "extra"}));
  CHECK_FALSE(has_value(scenario, {"/algorithm", "nids"}));
  CHECK(value_text(50.0) == "50");
  CHECK(value_text(scenario["algorithm"]) == "extra");
}

TEST_CASE("runs differ in as many ways as there are swept keys in which they do and keys of labels are one way") {
  const auto run = [](const std::string& label, const char* kind, int agents, int latency) {
    RecordedRun made;
    made.scenario = {{"label", label},
                     {"topology", {{"kind", kind}, {"agents", agents}}},
                     {"latency", latency},
                     {"record", Json::object()}};
    made.point = {{"/topology/kind", kind}, {"/topology/agents", agents}, {"/latency", latency}};
    return made;
  };
  const auto ways = [](const std::vector<RecordedRun>& runs) {
    const SweptKeys keys = swept_keys(runs);
    return ways_to_differ(distinct_values(runs[0], keys), distinct_values(runs[1], keys));
  };
  CHECK(ways({run("", "ring", 4, 1), run("", "star", 4, 1)}) == 1);
  CHECK(ways({run("", "ring", 4, 1), run("", "star", 5, 1)}) == 2);
  CHECK(ways({run("A", "ring", 4, 1), run("B", "star", 5, 1), run("A", "ring", 4, 2)}) == 1);
  CHECK(ways({run("A", "ring", 4, 1), run("B", "star", 5, 2), run("A", "ring", 4, 2)}) == 2);
}

}  // namespace lagnet::run_values_test
