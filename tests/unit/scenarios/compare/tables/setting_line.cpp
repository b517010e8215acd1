#include "scenarios/compare/tables/setting_line.hpp"

#include <catch2/catch.hpp>

namespace lagnet::setting_line_test {

namespace {

RecordedRun run_with(const std::string& changes, int agents = 9) {
  RecordedRun run;
  run.scenario = Json::parse(R"({
    "data": {"source": "libsvm", "path": "heart_scale.libsvm"},
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

TEST_CASE("the line has the common setting, names a few values, and says that more vary") {
  CHECK(setting_line({run_with("{}")}) ==
        "9 agents, ring, latency 50 ms, sharing fifo, heart_scale.libsvm, 270 samples x 13 features, squared, l2 0.01");
  const RecordedRun other = run_with(R"({"topology": {"kind": "star"},
    "network": {"latency_ms": {"kind": "uniform", "value": null, "low": 5, "high": 150}}})",
                                     16);
  const std::string two = setting_line({run_with("{}"), other});
  CHECK(two ==
        "9 or 16 agents, ring or star, latency 50 ms or 5 ms to 150 ms, sharing fifo, heart_scale.libsvm, 270 samples "
        "x 13 features, squared, l2 0.01");
  std::vector<RecordedRun> many;
  for (const int agents : {4, 9, 16, 25}) many.push_back(run_with("{}", agents));
  CHECK(setting_line(many).starts_with("number of agents varies, ring, latency 50 ms"));
}

TEST_CASE("data that differ in the seed alone that they are drawn from are the same data") {
  const char* const drawn = R"({"data": {"source": "gaussian_regression", "path": null}})";
  RecordedRun one = run_with(drawn), two = run_with(drawn);
  one.summary["data"]["origin"] = "gaussian_regression, 300 x 500, seed 1";
  two.summary["data"]["origin"] = "gaussian_regression, 300 x 500, seed 2";
  CHECK(setting_line({one, two}).find(", gaussian_regression, 270 samples") != std::string::npos);
}

TEST_CASE("distributions are printed by their ends or their median") {
  const auto latency = [](const std::string& value) {
    const std::string line = setting_line({run_with(R"({"network": {"latency_ms": )" + value + "}}")});
    return line.substr(line.find("latency"), line.find(", sharing") - line.find("latency"));
  };
  CHECK(latency(R"({"kind": "uniform", "value": null, "low": 5, "high": 150})") == "latency 5 ms to 150 ms");
  CHECK(latency(R"({"kind": "lognormal", "value": null, "median": 25})") == "latency 25 ms (lognormal, median)");
}

TEST_CASE("links share nothing where no interface has a limit, or none was asked for") {
  CHECK(links_share_nothing(run_with("{}")));
  const RecordedRun limited = run_with(R"({"network": {"up_bytes_per_s": {"kind": "constant", "value": 1e5}}})");
  CHECK_FALSE(links_share_nothing(limited));
  CHECK(links_share_nothing(
      run_with(R"({"network": {"sharing": "none", "up_bytes_per_s": {"kind": "constant", "value": 1e5}}})")));
}

}  // namespace lagnet::setting_line_test
