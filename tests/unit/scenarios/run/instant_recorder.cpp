#include "scenarios/run/instant_recorder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::instant_recorder_test {

namespace {

Experiment assembled(const std::string& changes) {
  ExperimentCache cache;
  const ScenarioFile file = small_scenario(changes);
  return assemble(read_scenario(file), file.shown, cache);
}

Outcome outcome_with(const std::string& record, const std::string& more = "") {
  return run(assembled(R"({"record": {"every": 1)" + record + "}" + more + "}"));
}

std::vector<double> seconds(const Outcome& outcome) {
  std::vector<double> all;
  for (const Row& row : outcome.rows) all.push_back(row.at.in_seconds());
  return all;
}

// Peers of different speeds, of which each makes an update when it can.
const std::string asynchronous = R"(, "topology": {"kind": "ring", "agents": 6},
  "compute": {"update_ms": [10, 13, 17, 19, 23, 290]}, "partition": {"kind": "samples"},
  "problem": {"regularizer": {"kind": "l2"}},
  "algorithm": {"kind": "edge_admm", "penalty": 1}, "stop": {"rounds": null, "simulated_s": 2})";

}  // namespace

TEST_CASE("rows by time are at whole multiples of the interval, and the last one at the end of the run") {
  const Outcome by_rounds = outcome_with("");
  const Outcome by_time = outcome_with(R"(, "every_s": 0.01)");
  std::vector<double> expected;
  for (int k = 0; k * 10'000'000 < by_rounds.ending.last_event.ns(); ++k) expected.push_back(k * 0.01);
  expected.push_back(by_rounds.ending.last_event.in_seconds());
  CHECK(seconds(by_time) == expected);
  CHECK(by_time.trace_hash == by_rounds.trace_hash);
  CHECK(by_time.ending.last_report == by_rounds.ending.last_report);
}

TEST_CASE("a row by time has the newest round that all agents had reported, where they report together") {
  // A complete graph of agents of one speed with one latency: all report a round at one instant.
  const std::string alike = R"(, "topology": {"kind": "complete", "agents": 4}, "network": {"latency_ms": 2},
    "data": {"source": "gaussian_regression", "samples": 40, "features": 8},
    "problem": {"regularizer": {"kind": "l2"}},
    "algorithm": {"kind": "gradient_tracking", "step": 0.1}, "partition": {"kind": "samples"})";
  const Outcome by_rounds = outcome_with("", alike), by_time = outcome_with(R"(, "every_s": 0.0013)", alike);
  REQUIRE(by_time.rows.size() > 10);
  for (const Row& row : by_time.rows) {
    const auto after = std::ranges::find_if(by_rounds.rows, [&](const Row& one) { return one.at > row.at; });
    REQUIRE(after != by_rounds.rows.begin());
    const Row& newest = *(after - 1);
    CHECK(row.round == newest.round);
    CHECK(row.updates == 4 * newest.round);
    CHECK(row.objective == newest.objective);
    CHECK(row.metrics == newest.metrics);
    CHECK(row.total.messages_sent >= newest.total.messages_sent);
  }
}

TEST_CASE("counts of rows by time never fall, and end with those of the run") {
  const Outcome outcome = outcome_with(R"(, "every_s": 0.05)", asynchronous);
  REQUIRE(outcome.rows.size() == 41);
  for (std::size_t k = 1; k < outcome.rows.size(); ++k) {
    const Row &before = outcome.rows[k - 1], &row = outcome.rows[k];
    CHECK(row.updates >= before.updates);
    CHECK(row.total.messages_sent >= before.total.messages_sent);
    CHECK(row.total.flops >= before.total.flops);
    CHECK(row.total.computing >= before.total.computing);
  }
  // Updates that took 10, 13, .., 290 ms in 2 s, one after the other.
  CHECK(outcome.rows.back().updates == 200 + 153 + 117 + 105 + 86 + 6);
  CHECK(outcome.rows.back().round == 6);
  CHECK(outcome.last_reports == std::vector<Round>{200, 153, 117, 105, 86, 6});
  CHECK(outcome.rows.back().total.messages_sent == 2 * outcome.rows.back().updates);
}

TEST_CASE("rows by updates come at the instants in which their number is reached") {
  const Outcome outcome = outcome_with(R"(, "every_updates": 100)", asynchronous);
  REQUIRE(outcome.rows.size() >= 7);
  CHECK(outcome.rows.front().updates == 0);
  for (std::size_t k = 1; k + 1 < outcome.rows.size(); ++k) {
    CHECK(outcome.rows[k].updates / 100 == outcome.rows[k - 1].updates / 100 + 1);
    CHECK(outcome.rows[k].updates % 100 < 6);  // no more than all agents at one instant
  }
  CHECK(outcome.stop == StopReason::simulated_s);
}

TEST_CASE("updates end a run with a row, for asynchronous and other methods") {
  std::string limited = asynchronous;
  limited.replace(limited.find(R"("simulated_s": 2)"), 16, R"("updates": 250)");
  const Outcome outcome = outcome_with(R"(, "every_s": 10)", limited);
  CHECK(outcome.stop == StopReason::updates);
  CHECK(outcome.rows.back().updates >= 250);
  CHECK(outcome.rows.back().updates < 256);
  CHECK(outcome.rows.back().at == outcome.ending.last_report);

  const Outcome of_rounds = outcome_with("", R"(, "stop": {"updates": 13})");  // five agents: in the third round
  CHECK(of_rounds.stop == StopReason::updates);
  CHECK(of_rounds.rows.back().round == 3);
  CHECK(of_rounds.rows.back().updates == 15);
}

TEST_CASE("staleness is that of the updates since the row before") {
  const Outcome outcome = outcome_with(R"(, "every_s": 0.5)", asynchronous);
  std::int64_t uses = 0, sum = 0, largest = 0;
  for (const auto& [age, count] : outcome.ledger.staleness()) {
    uses += count;
    sum += age * count;
    largest = std::max(largest, age);
  }
  // Each update uses something of both neighbors.
  const std::int64_t begun = outcome.rows.back().updates + 6;
  CHECK(uses >= 2 * outcome.rows.back().updates);
  CHECK(uses <= 2 * begun);
  double largest_of_rows = 0;
  for (const Row& row : outcome.rows) largest_of_rows = std::max(largest_of_rows, row.staleness_max.value_or(0));
  CHECK(largest_of_rows == static_cast<double>(largest));
  CHECK(outcome.rows.front().staleness_mean == 0.0);  // the first updates begin at 0 s, when no update has been made
  CHECK(outcome.rows.back().staleness_mean > 0);
}

}  // namespace lagnet::instant_recorder_test
