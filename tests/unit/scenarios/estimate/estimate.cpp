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

Estimate estimated(const std::string& changes, EstimateOptions options = {}) {
  const ScenarioFile file = small_scenario(changes);
  if (!options.clock) options.clock = ticking();
  ExperimentCache cache;
  return estimate(read_points(file, sweep_points(file)), file.shown, cache, options);
}

}  // namespace

TEST_CASE("a run takes longer by its rounds") {
  const auto seconds = [](const char* stop) { return *estimated(stop).seconds; };
  const double start = seconds(R"({"stop": {"rounds": 1}})");
  const double some = seconds(R"({"stop": {"rounds": 1000000}})"), more = seconds(R"({"stop": {"rounds": 3000000}})");
  CHECK(some > 1000 * start);
  CHECK(more / some == Approx(3).epsilon(0.01));
}

TEST_CASE("a round that is not over in its time is known in part") {
  const Estimate found = estimated("{}", {.clock = ticking(100)});
  CHECK(found.is_at_least);
  CHECK(found.sampled_rounds == 0);
  CHECK(*found.seconds >= 100);
}

TEST_CASE("results have about the size that is estimated") {
  for (const char* changes :
       {R"({"stop": {"rounds": 400}})", R"({"stop": {"rounds": 400}, "record": {"trace": true, "timeline": true}})"}) {
    const TestFolder place;
    execute(small_scenario(changes), place.path() / "r", {});
    double size = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place.path() / "r"))
      size += static_cast<double>(entry.file_size());
    CHECK(*estimated(changes).result_bytes == Approx(size).epsilon(0.5));
  }
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
    const Estimate found = estimated(sweep, {.is_prepared = true, .cores = cores, .settings = {.jobs = jobs}});
    CHECK(found.preparation_s == 0);
    return found.seconds.value();
  };
  const double alone = seconds(1, 4);
  CHECK(alone > 0);
  CHECK(seconds(2, 4) == Approx(alone / 2));
  CHECK(seconds(4, 2) == Approx(alone / 2));
  CHECK(seconds(4, 1) == Approx(alone));
}

TEST_CASE("the preparation counts unless it is done") {
  const double one = estimated("{}").preparation_s;
  CHECK(one > 0);
  CHECK(estimated(R"({"sweep": {"/seed": [1, 2, 3]}})").preparation_s == Approx(3 * one));
  CHECK(estimated("{}", {.is_prepared = true}).preparation_s == 0);
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
