#include "scenarios/estimate/estimate.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/sweep/execute.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::estimate_test {

namespace {

/// A clock on which so much time passes from one look to the next.
SecondsClock ticking(double step_s = 1e-4) {
  return [now = 0.0, step_s]() mutable { return now += step_s; };
}

Experiment assembled(const std::string& changes) {
  ExperimentCache cache;
  return assemble(read_scenario(small_scenario(changes)), "small.json", cache);
}

Estimate estimated(const std::string& changes, EstimateOptions options = {}) {
  const ScenarioFile file = small_scenario(changes);
  if (!options.clock) options.clock = ticking();
  ExperimentCache cache;
  return estimate(read_points(file, sweep_points(file)), file.shown, cache, options);
}

}  // namespace

TEST_CASE("a run that is short enough is sampled to its end, with files of the size that they have") {
  for (const char* changes :
       {R"({})", R"({"record": {"every": 5, "trace": true, "timeline": true, "model_every": 5}})"}) {
    const TestFolder place;
    execute(small_scenario(changes), place.path() / "r", {});
    double size = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place.path() / "r"))
      size += static_cast<double>(entry.file_size());
    const Experiment experiment = assembled(changes);
    const RunSample sample = sample_run(experiment, 1, ticking(), 1000);
    CHECK((sample.is_whole && !sample.is_within_round));
    CHECK(sample.rounds == 12);
    CHECK(sample.bytes(experiment.scenario.record, 12) == Approx(size));
  }
}

TEST_CASE("a long run is sampled for its time, and rounds and rows have their own") {
  const Experiment experiment = assembled(R"({"stop": {"rounds": 1000000}, "record": {"every": 10}})");
  const RunSample sample = sample_run(experiment, 1, ticking(), 0.5);
  CHECK_FALSE(sample.is_whole);
  CHECK(sample.rounds > 10);
  // One look at the end of a round, a row is one more; within a round there are some for its events.
  CHECK(sample.row_s == Approx(1e-4));
  CHECK(sample.round_s >= 1e-4);
  CHECK(sample.round_s < 1e-2);
  const RecordOptions& record = experiment.scenario.record;
  CHECK(sample.seconds(record, 2000) - sample.seconds(record, 1000) ==
        Approx(1000 * sample.round_s + 100 * sample.row_s));
  CHECK(sample.seconds(record, 15) - sample.seconds(record, 10) == Approx(5 * sample.round_s + sample.row_s));
}

TEST_CASE("a round that is not over in its time is known in part") {
  const RunSample sample = sample_run(assembled("{}"), 1, ticking(100), 1);
  CHECK(sample.is_within_round);
  CHECK(sample.rounds == 0);
  CHECK(sample.round_s >= 100);
  CHECK(estimated("{}", {.clock = ticking(100)}).is_at_least);
}

TEST_CASE("sums are those of the runs, and points that differ in their seeds are measured once") {
  const char* sweep = R"({"sweep": {"/topology/agents": [4, 6], "/seed": [1, 2, 3]}})";
  const Estimate found = estimated(sweep);
  double messages = 0, bytes = 0, flops = 0, events = 0;
  for (const SweepPoint& point : sweep_points(small_scenario(sweep))) {
    ExperimentCache cache;
    const Outcome outcome = run(assemble(read_scenario(point.file), "small.json", cache));
    messages += static_cast<double>(outcome.ledger.total().messages_sent);
    bytes += static_cast<double>(outcome.ledger.total().bytes_sent);
    flops += static_cast<double>(outcome.ledger.total().flops);
    events += static_cast<double>(outcome.trace_events);
  }
  CHECK((found.points == 6 && found.counted == 6 && found.counted_whole == 6 && found.sampled == 2));
  CHECK(found.rounds == 6 * 12);
  CHECK(found.messages == messages);
  CHECK(found.bytes == bytes);
  CHECK(found.flops == flops);
  CHECK(found.events == events);
  CHECK(found.sampled_rounds == 24);
  CHECK(found.memory > 0);
  CHECK(*found.result_bytes > 1000);
  CHECK_FALSE(found.may_end_sooner);
}

TEST_CASE("of many points some of each kind are counted and measured, and stand for the others") {
  const char* sweep = R"({"sweep": {"/topology/agents": [4, 6, 8, 10], "/seed": [1, 2, 3]}})";
  const Estimate all = estimated(sweep), some = estimated(sweep, {.samples = 1, .counted = 4});
  CHECK((some.counted == 4 && some.sampled == 1));
  CHECK(some.messages == all.messages);  // rings have as many links as agents, whatever the seed
  CHECK(estimated(sweep, {.counted = 2}).counted == 2);
}

TEST_CASE("jobs side by side take the share of the time that the cores give them") {
  const char* sweep = R"({"sweep": {"/seed": [1, 2, 3, 4]}})";
  const auto seconds = [&](unsigned jobs, unsigned cores) {
    const Estimate found = estimated(sweep, {.is_prepared = true, .cores = cores, .budget = {.jobs = jobs}});
    CHECK(found.preparation_s == 0);
    return found.seconds.value();
  };
  const double alone = seconds(1, 4);
  CHECK(alone > 0);
  CHECK(seconds(2, 4) == Approx(alone / 2));
  CHECK(seconds(4, 2) == Approx(alone / 2));
  CHECK(seconds(4, 1) == Approx(alone));
}

TEST_CASE("what is prepared before counts as well, data and optima once for all that share them") {
  const double one = estimated("{}").preparation_s;
  CHECK(one > 0);
  CHECK(estimated(R"({"sweep": {"/seed": [1, 2, 3]}})").preparation_s == Approx(3 * one));
  CHECK(estimated(R"({"sweep": {"/network/latency_ms": [1, 2, 3]}})").preparation_s < 3 * one);
}

TEST_CASE("without a limit of rounds no time is known, and a tolerance makes an upper bound") {
  const Estimate endless = estimated(R"({"stop": {"rounds": null, "relative_error": 1e-9}})", {.steps = 1000});
  CHECK_FALSE(endless.seconds);
  CHECK_FALSE(endless.messages);
  CHECK(endless.may_end_sooner);
  const Estimate bounded = estimated(R"({"stop": {"relative_error": 1e-3}})");
  CHECK(bounded.rounds == 12);
  CHECK(bounded.may_end_sooner);
  CHECK((std::isfinite(bounded.seconds.value()) && *bounded.seconds > 0));
}

}  // namespace lagnet::estimate_test
