#include "scenarios/run/run.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

#include "scenarios/assembly/assemble.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::run_test {

namespace {

Experiment assembled(const std::string& changes = "{}") {
  ExperimentCache cache;
  const ScenarioFile file = small_scenario(changes);
  return assemble(read_scenario(file), file.shown, cache);
}

std::vector<Round> rounds(const Outcome& outcome) {
  std::vector<Round> all;
  for (const Row& row : outcome.rows) all.push_back(row.round);
  return all;
}

}  // namespace

TEST_CASE("the trace of the small scenario has the hash that every build and machine gives") {
  // Messages, times and counts are integers: no rounding, optimization or sanitizer reaches them.
  const Outcome outcome = run(assembled());
  CHECK(outcome.trace_hash == "c3e2c24997ba2471");
  CHECK(outcome.trace_events == 785);
  CHECK(run(assembled(), {.threads = 3}).trace_hash == outcome.trace_hash);
}

TEST_CASE("a written trace has a line for each event that the hash covers, and does not change it") {
  std::ostringstream lines;
  const Outcome outcome = run(assembled(), {.trace = &lines});
  std::int64_t count = 0;
  std::istringstream text(lines.str());
  for (std::string line; std::getline(text, line); ++count) CHECK(Json::accept(line));
  CHECK(count == outcome.trace_events);
  CHECK(outcome.trace_hash == run(assembled()).trace_hash);
}

TEST_CASE("the first and the last round have rows, whatever is recorded between") {
  CHECK(rounds(run(assembled())) == std::vector<Round>{0, 4, 8, 12});
  CHECK(rounds(run(assembled(R"({"record": {"every": 5}})"))) == std::vector<Round>{0, 5, 10, 12});
  CHECK(rounds(run(assembled(R"({"record": {"every": 99}})"))) == std::vector<Round>{0, 12});
  CHECK(rounds(run(assembled(R"({"record": {"every": 5}, "stop": {"rounds": null, "simulated_s": 0.0331}})"))) ==
        std::vector<Round>{0, 5, 8});  // two exchanges of 2 ms a round, and a little computing
}

TEST_CASE("a peer that restarts without its state is reported, and the run ends at a wrong point") {
  const Outcome outcome = run(assembled(R"({"algorithm": {"kind": "nids"}, "stop": {"rounds": 3000},
    "problem": {"regularizer": {"kind": "l2", "weight": 0.1}},
    "participation": {"missing_neighbor": {"kind": "skip", "deadline_ms": 20}, "availability": [
      {"kind": "crash", "agent": 2, "at_s": 0.05, "recovers_after_s": 0.1, "state": "lost"}]}})"));
  CHECK(*outcome.rows.back().relative_error > 1e-9);  // without the crash it ends at rounding
  CHECK(has_other_limit(outcome.remarks));
  CHECK(std::ranges::count(outcome.remarks, messages_missing_code, &Remark::code) == 1);
  const auto lost = std::ranges::find(outcome.remarks, states_lost_code, &Remark::code);
  REQUIRE(lost != outcome.remarks.end());
  CHECK(lost->numbers == decltype(lost->numbers){{"crashes", 1}});
}

TEST_CASE("each stop condition ends the run and is named") {
  const auto reason = [](const std::string& stop) {
    return run(assembled(R"({"stop": {"rounds": 100000, )" + stop + "}}")).stop;
  };
  CHECK(reason(R"("rounds": 3)") == StopReason::rounds);
  CHECK(reason(R"("simulated_s": 0.05)") == StopReason::simulated_s);
  CHECK(reason(R"("relative_error": 0.5)") == StopReason::relative_error);
  CHECK(reason(R"("flops": 30000)") == StopReason::flops);
  CHECK(reason(R"("flops_per_agent": 6000)") == StopReason::flops_per_agent);
  CHECK(reason(R"("bytes": 40000)") == StopReason::bytes);
}

TEST_CASE("a run that needs only its beginning ends there, with a row of its last round") {
  const auto is_enough = [ended = 0](Flops) mutable { return ++ended > 6; };  // with round 0
  CHECK(rounds(run(assembled(), {.enough = {{.ends_with_round = is_enough}}})) == std::vector<Round>{0, 4, 6});
}

TEST_CASE("a run that reaches the end of simulated time says so, and that sums over agents end there") {
  // Rounds of 2e6 s: 292 years are 4,600 of them. Agents wait almost all of it, five of them.
  const Outcome outcome =
      run(assembled(R"({"network": {"latency_ms": 1e9}, "stop": {"rounds": 100000}, "record": {"every": 1000}})"));
  CHECK(outcome.stop == StopReason::end_of_time);
  CHECK(outcome.rows.back().round == 4611);  // 2^63 - 1 ns over 2e6 s
  CHECK(outcome.rows.back().total.idle == Duration::longest());
  CHECK(std::ranges::count(outcome.remarks, "end_of_time", &Remark::code) == 1);
  CHECK(std::ranges::count(outcome.remarks, "longest_time", &Remark::code) == 1);
}

TEST_CASE("the first row is the start and errors are relative to it") {
  const Experiment experiment = assembled();
  const Outcome outcome = run(experiment);
  CHECK(outcome.rows[0].objective == experiment.problem.objective(Vector::Zero(7)));
  CHECK(outcome.rows[0].relative_error == 1.0);
  const double start = outcome.rows[0].objective.value(), best = experiment.optimum->value;
  CHECK(outcome.rows[3].relative_error == (*outcome.rows[3].objective - best) / (start - best));
}

TEST_CASE("each row is reported when it is recorded") {
  std::vector<Round> told;
  run(assembled(), {.row = [&](const Row& row) { told.push_back(row.round); }});
  CHECK(told == std::vector<Round>{0, 4, 8, 12});
}

TEST_CASE("an objective that is not finite ends the run as diverged") {
  const Outcome outcome = run(assembled(R"({"algorithm": {"sigma": 1e8, "tau": 1e8}, "stop": {"rounds": 10000}})"));
  CHECK(outcome.diverged);
  CHECK(outcome.stop == StopReason::diverged);
  CHECK(outcome.rows.back().round < 10000);
}

}  // namespace lagnet::run_test
