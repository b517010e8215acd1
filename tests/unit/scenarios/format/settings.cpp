#include "scenarios/format/settings.hpp"

#include <catch2/catch.hpp>

namespace lagnet::settings_test {

namespace {

std::string problems_of(const char* document, const std::vector<std::string>& settings) {
  Diagnostics problems("s.json");
  Json json = Json::parse(document);
  apply_settings(json, settings, problems);
  return problems.text();
}

constexpr const char* plain = R"({"topology": {"kind": "ring", "agents": 4}, "expect": []})";
constexpr const char* swept = R"({"algorithm": {"kind": "dgd"}, "sweep": {"/algorithm/kind": ["nids", "extra"]}})";
constexpr const char* way_out =
    "which /sweep sets to other values; use --sweep KEY=VALUES for a swept key, or leave the sweep out with --set "
    "'sweep={}'";

}  // namespace

TEST_CASE("a setting that a later one replaces is refused") {
  CHECK(problems_of(plain, {"topology.agents=5", "/topology/agents=6"}) ==
        "s.json: --set /topology/agents: expected each key once, found --set /topology/agents after it, which replaces "
        "its value");
  CHECK(problems_of(plain, {"topology.agents=5", R"(topology={"kind": "star"})"}) ==
        "s.json: --set /topology/agents: expected each key once, found --set /topology after it, which replaces its "
        "value");
  CHECK(problems_of(plain, {"/sweep/~1seed=[1]", "/sweep/~1seed=[2]"}) ==
        "s.json: --sweep /seed: expected each key once, found --sweep /seed after it, which replaces its value");
  // What adds to what was set before, or to a list, is no repetition.
  CHECK(problems_of(plain, {R"(topology={"kind": "star"})", "topology.agents=5"}).empty());
  CHECK(problems_of(plain, {"/expect/-=1", "/expect/-=2"}).empty());
}

TEST_CASE("a setting of a value that the sweep replaces is refused") {
  CHECK(problems_of(swept, {"algorithm.kind=dgd"}) ==
        std::string("s.json: --set /algorithm/kind: expected a value that /sweep does not replace, found "
                    "/algorithm/kind, ") +
            way_out);
  CHECK(problems_of(swept, {R"(/algorithm={"kind":"dgd"})"}) ==
        std::string("s.json: --algorithm or --set /algorithm: expected a value that /sweep does not replace, found "
                    "/algorithm/kind, ") +
            way_out);
  CHECK(problems_of(R"({"sweep": {"points": [{"/topology": {}}]}})", {"topology.agents=5"}) ==
        std::string("s.json: --set /topology/agents: expected a value that /sweep does not replace, found "
                    "/topology/agents, ") +
            way_out);
  CHECK(problems_of(R"({"sweep": {"random": {"samples": 2, "ranges": {"/algorithm/step": {}}}}})", {"algorithm.step=5"})
            .find("/algorithm/step, which /sweep") != std::string::npos);
}

TEST_CASE("a setting beside the keys of the sweep, or of the sweep itself, takes effect") {
  CHECK(problems_of(swept, {"algorithm.step=0.5"}).empty());
  CHECK(problems_of(swept, {R"(/algorithm={"step":0.5})"}).empty());
  CHECK(problems_of(swept, {"sweep={}", "algorithm.kind=dgd"}).empty());
  CHECK(problems_of(swept, {R"(/sweep/~1algorithm~1kind=["dgd"])"}).empty());
}

TEST_CASE("settings of values that full or tune replaces are reported") {
  const Json document = Json::parse(R"({"full": {"/topology/agents": 100}, "tune": {"ranges": {"/algorithm/step": {}},
                                        "seeds": [1, 2]}})");
  Diagnostics problems("s.json");
  check_full_leaves(document, {"topology.agents=5", "stop.rounds=3"}, problems);
  check_tune_leaves(document, {"algorithm.step=5", "seed=3", "stop.rounds=3"}, problems);
  REQUIRE(problems.count() == 3);
  CHECK(problems.list()[0].where == "--set /topology/agents");
  CHECK(problems.list()[1].where == "--set /algorithm/step");
  CHECK(problems.list()[2].where == "--set /seed");
}

}  // namespace lagnet::settings_test
