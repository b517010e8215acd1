#include "scenarios/times/timed_run.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::timed_run_test {

namespace {

using Kind = Step::Kind;

TimedRunOrReasons timed(const std::string& changes) {
  ExperimentCache cache;
  return timed_run(small_scenario(changes), cache);
}

std::vector<std::string> reasons(const std::string& changes) { return timed(changes).reasons; }

std::vector<Kind> kinds(const Steps& steps) {
  std::vector<Kind> found;
  for (const Step& step : steps) found.push_back(step.kind);
  return found;
}

}  // namespace

TEST_CASE("The steps of a method of peers are those of its sheet") {
  const TimedRunOrReasons found = timed(R"({"algorithm": {"kind": "dgd", "step": 0.1}})");
  REQUIRE(found.run);
  for (AgentId id = 0; id < 5; ++id) {
    CHECK(found.run->graph.first[id].size() <= 3);
    const std::vector<Kind> steps = kinds(found.run->graph.every[id]);
    CHECK(std::ranges::count(steps, Kind::broadcast) == 1);
    CHECK(std::ranges::count(steps, Kind::take_all) == 1);
    CHECK(std::ranges::count(steps, Kind::report) == 1);
    CHECK(std::ranges::count(steps, Kind::compute) >= 1);
    CHECK(std::ranges::count(steps, Kind::send) == 0);
  }
}

TEST_CASE("The steps give the times of every round, under a server as among peers") {
  for (const std::string changes :
       {R"({"network": {"latency_ms": {"kind": "uniform", "low": 1, "high": 90}}})",
        R"({"algorithm": {"kind": "extra"}, "network": {"bandwidth_bytes_per_s": 1000, "up_bytes_per_s": 1500}})",
        R"({"algorithm": {"kind": "fed_avg", "client_step": 0.1}, "topology": {"kind": "star"},
            "compute": {"speed_flops_per_s": {"kind": "uniform", "low": 1e3, "high": 1e6}}})",
        R"({"algorithm": {"kind": "gradient_tracking"}, "problem": {"regularizer": {"kind": "l2"}},
            "network": {"sharing": "none", "up_bytes_per_s": 1e4}})"}) {
    CAPTURE(changes);
    const TimedRunOrReasons found = timed(changes);
    CAPTURE(found.reasons);
    REQUIRE(found.run);
    ExperimentCache cache;
    ScenarioFile file = small_scenario(changes);
    file.document["record"]["every"] = 1;
    const Experiment experiment = assemble(read_scenario(file), "small.json", cache);
    const Outcome outcome = run(experiment);
    const auto times = round_times(found.run->graph, found.run->world(), 12);
    REQUIRE(times.size() == 13);
    REQUIRE(outcome.rows.size() == 13);
    for (const Row& row : outcome.rows) CHECK(times[static_cast<std::size_t>(row.round)] == row.at);
  }
}

TEST_CASE("Each random value per message or round is a reason, by its key") {
  using Reasons = std::vector<std::string>;
  CHECK(reasons(R"({"network": {"jitter_ms": 1, "sharing": "fair"}})") ==
        Reasons{"network.sharing: at fair rates each message slows others down",
                "network.jitter_ms: it is drawn for every message"});
  CHECK(reasons(R"({"network": {"down_bytes_per_s": 1e6}})").empty());
  CHECK(reasons(R"({"compute": {"straggler": {"probability": 0.1, "factor": 2}}})") ==
        Reasons{"compute.straggler: it is drawn for every round"});
  CHECK(reasons(R"({"topology": {"kind": "star"}, "algorithm": {"kind": "fed_avg", "client_step": 0.1},
                    "participation": {"clients": {"kind": "random_subset", "size": 2}}})") ==
        Reasons{"rounds are not alike: agents do something else in each of them"});
  CHECK(reasons(R"({"participation": {"availability": [{"kind": "on_off", "mean_up_s": 1, "mean_down_s": 1}]}})")
            .front()
            .starts_with("participation.availability: "));
}

}  // namespace lagnet::timed_run_test
