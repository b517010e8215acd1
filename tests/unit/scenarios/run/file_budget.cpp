#include "scenarios/run/file_budget.hpp"

#include <catch2/catch.hpp>

namespace lagnet::file_budget_test {

TEST_CASE("a file that will outgrow its budget is reported with its size, its end and the remedy") {
  Scenario scenario;
  scenario.stop.rounds = 2000;
  CHECK(budget_bytes(scenario.record) == 50'000'000);
  // 258 kB a round.
  CHECK(will_outgrow({.name = "timeline.json", .bytes = 5'160'000}, 20, scenario)->text ==
        "timeline.json would take about 516 MB; it ends at 50 MB, near round 194 of 2000, unless record.file_budget_mb "
        "is raised; record.timeline_window_s chooses a part of the run");
  CHECK(will_outgrow({.name = "trace.jsonl", .bytes = 600'000}, 20, scenario)->text ==
        "trace.jsonl would take about 60 MB; it ends at 50 MB, near round 1667 of 2000, unless record.file_budget_mb "
        "is raised");
  CHECK_FALSE(will_outgrow({.name = "trace.jsonl", .bytes = 500'000}, 20, scenario));  // exactly 50 MB
  CHECK_FALSE(will_outgrow({.name = "trace.jsonl", .bytes = 600'000}, 0, scenario));
  scenario.stop.rounds.reset();
  CHECK_FALSE(will_outgrow({.name = "trace.jsonl", .bytes = 600'000}, 20, scenario));
}

TEST_CASE("a file that ended before its run is reported with the moment") {
  RecordOptions record;
  record.file_budget_mb = 0.5;
  CHECK(has_ended_early({.name = "trace.jsonl", .bytes = 1, .full_at = Time::nanoseconds(61'250'000'000)}, record)
            ->text == "trace.jsonl ends at 61.25 s of simulated time, after the 0.5 MB of record.file_budget_mb");
  CHECK_FALSE(has_ended_early({.name = "trace.jsonl", .bytes = 1}, record));
}

}  // namespace lagnet::file_budget_test
