#include "scenarios/compare/tables/setting_line.hpp"

#include <catch2/catch.hpp>

namespace lagnet::setting_line_test {

namespace {

RecordedRun run_with(const std::string& changes, int agents = 9) {
  RecordedRun run;
  run.scenario = Json::parse(R"({
    "topology": {"kind": "ring"},
    "problem": {"loss": {"kind": "squared"}, "regularizer": {"kind": "l2", "weight": 0.01}},
    "network": {"latency_ms": {"kind": "constant", "value": 50.0}, "sharing": "fifo", "up_bytes_per_s": null,
                "down_bytes_per_s": null, "interfaces": []}})");
  run.scenario.merge_patch(Json::parse(changes));
  run.summary = {{"topology", {{"agents", agents}}},
                 {"data", {{"origin", "heart_scale.libsvm"}, {"samples", 270}, {"features", 13}}}};
  return run;
}

}  // namespace

TEST_CASE("what all runs share is told, and what differs varies") {
  CHECK(setting_line({run_with("{}")}) ==
        "9 agents, ring, latency 50 ms, sharing fifo, heart_scale.libsvm, 270 samples x 13 features, squared, l2 0.01");
  const RecordedRun other = run_with(R"({"topology": {"kind": "star"},
    "network": {"latency_ms": {"kind": "uniform", "value": null, "low": 5, "high": 150}}})",
                                     16);
  const std::string two = setting_line({run_with("{}"), other});
  CHECK(two ==
        "number of agents varies, ring or star, latency varies, sharing fifo, heart_scale.libsvm, 270 samples x 13 "
        "features, squared, l2 0.01");
}

TEST_CASE("distributions are told by their ends or their median") {
  const auto latency = [](const std::string& value) {
    const std::string line = setting_line({run_with(R"({"network": {"latency_ms": )" + value + "}}")});
    return line.substr(line.find("latency"), line.find(", sharing") - line.find("latency"));
  };
  CHECK(latency(R"({"kind": "uniform", "value": null, "low": 5, "high": 150})") == "latency 5 ms to 150 ms");
  CHECK(latency(R"({"kind": "lognormal", "value": null, "median": 25})") == "latency 25 ms (lognormal, median)");
}

TEST_CASE("links share nothing where no interface has a limit, or none was asked for") {
  CHECK(links_share_nothing({run_with("{}")}));
  const RecordedRun limited = run_with(R"({"network": {"up_bytes_per_s": {"kind": "constant", "value": 1e5}}})");
  CHECK_FALSE(links_share_nothing({limited}));
  CHECK_FALSE(links_share_nothing({limited, run_with("{}")}));
  CHECK(links_share_nothing(
      {run_with(R"({"network": {"sharing": "none", "up_bytes_per_s": {"kind": "constant", "value": 1e5}}})")}));
}

}  // namespace lagnet::setting_line_test
