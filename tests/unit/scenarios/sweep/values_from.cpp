#include "scenarios/sweep/values_from.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::values_from_test {

namespace {

/// For each scenario, the one whose values it has.
std::vector<std::optional<std::size_t>> sources(const std::vector<std::string>& changes) {
  std::vector<Scenario> scenarios;
  for (const std::string& change : changes) scenarios.push_back(read_scenario(small_scenario(change)));
  std::vector<std::optional<std::size_t>> points;
  for (const ValuesFrom& from : values_from_points(scenarios)) points.push_back(from.point);
  return points;
}

}  // namespace

TEST_CASE("Points that differ only in time take the values of the first of them") {
  CHECK(sources({R"({"seed": 2})", R"({"network": {"latency_ms": 1}})", R"({"network": {"latency_ms": 9}})",
                 R"({"seed": 2, "compute": {"speed_flops_per_s": 1e6}})", "{}"}) ==
        std::vector<std::optional<std::size_t>>{std::nullopt, std::nullopt, 1, 0, 1});
}

TEST_CASE("Points whose values depend on time compute, each its own") {
  const std::string lossy = R"("participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 9}})";
  CHECK(sources({"{" + lossy + "}", "{" + lossy + R"(, "network": {"latency_ms": 9}})"}) ==
        std::vector<std::optional<std::size_t>>{std::nullopt, std::nullopt});
}

}  // namespace lagnet::values_from_test
