#include "scenarios/format/series_names.hpp"

#include <catch2/catch.hpp>

namespace lagnet::series_names_test {

namespace {

/// The names of scenarios, which are given as JSON.
std::vector<std::string> names(const std::string& scenarios) {
  const Json list = Json::parse(scenarios);
  return series_names({list.begin(), list.end()});
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("scenarios are named by their differences, kinds first, with short numbers") {
  CHECK(
      names(
          R"([{"topology": {"kind": "ring", "agents": 4}, "stop": 1}, {"topology": {"kind": "star", "agents": 4}}])") ==
      Names{"ring", "star"});
  CHECK(names(R"([{"network": {"latency_ms": {"kind": "constant", "value": 10.0}}},
                  {"network": {"latency_ms": {"kind": "constant", "value": 2.5}}}])") ==
        Names{"latency_ms=10", "latency_ms=2.5"});
  CHECK(names(R"([{"algorithm": {"kind": "extra"}}])") == Names{"extra"});
  CHECK(names("[]").empty());
}

TEST_CASE("a label is the name, plus values that distinguish points of the same label") {
  CHECK(names(R"([{"label": "star + FedAvg", "topology": {"kind": "star"}},
                  {"label": "ring + EXTRA", "topology": {"kind": "ring"}}])") ==
        Names{"star + FedAvg", "ring + EXTRA"});
  CHECK(
      names(R"([{"label": "A", "latency_ms": 1}, {"label": "A", "latency_ms": 5}, {"label": "B", "latency_ms": 1}])") ==
      Names{"A latency_ms=1", "A latency_ms=5", "B latency_ms=1"});
  CHECK(names(R"([{"label": "A", "agents": 1}, {"label": "A", "agents": 5}])") == Names{"A agents=1", "A agents=5"});
  CHECK(names(R"([{"label": "alone", "algorithm": {"kind": "extra"}}])") == Names{"alone"});
}

TEST_CASE("scenarios without a label have their usual names") {
  CHECK(names(R"([{"label": "A", "topology": {"kind": "star"}}, {"label": "", "topology": {"kind": "ring"}},
                  {"topology": {"kind": "path"}}])") == Names{"A", "ring", "path"});
}

TEST_CASE("names differ, by a number if by nothing else") {
  CHECK(names(R"([{"a": {"x": 1}, "b": {}}, {"a": {}, "b": {"x": 1}}])") == Names{"x=1", "(2)"});
  CHECK(names(R"([{}, {"speed": 2}])") == Names{"(1)", "speed=2"});
}

}  // namespace lagnet::series_names_test
