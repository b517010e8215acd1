#include "scenarios/sweep/unfinished_runs.hpp"

#include <catch2/catch.hpp>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/report/report_model.hpp"
#include "scenarios/sweep/execute.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::unfinished_runs_test {

namespace fs = std::filesystem;

namespace {

/// Looks at the folder of a sweep at one of its rows, and ends a point by an error.
struct Looking : RunWatcher {
  explicit Looking(fs::path folder) : reader(std::move(folder)) {}
  void recorded(std::size_t point, const Row& row) override {
    if (point == 1) throw std::runtime_error("it broke");
    if (point == 2 && row.round == 2) before = reader.signature();
    if (point != 2 || row.round != 3) return;
    CHECK(reader.signature() != before);
    CHECK(reader.signature() == reader.signature());
    seen = reader.read();
    model = report_model(seen.recorded, {.is_unfinished = true});
  }
  UnfinishedReader reader;
  UnfinishedRuns seen;
  std::string before;
  Json model;
};

}  // namespace

TEST_CASE("a sweep is read while it goes on: finished points, rows so far, and how many points there will be") {
  for (const bool is_part : {false, true}) {
    const TestFolder place;
    const fs::path target = place.path() / "s";
    Looking looking(partial_of(target));
    execute_sweep(
        small_scenario(R"({"record": {"every": 1}, "stop": {"rounds": 12}, "sweep": {"/seed": [1, 2, 3, 4]}})"), target,
        {.watcher = &looking, .part = is_part ? share_of("1/1") : std::nullopt});
    const UnfinishedRuns& seen = looking.seen;
    CHECK((seen.points == 4 && seen.finished == 2));
    CHECK(seen.under_way == Approx(3 / 12.0));
    REQUIRE(seen.recorded.runs.size() == 2);
    const RecordedRun &ended = seen.recorded.runs[0], &going = seen.recorded.runs[1];
    CHECK((!ended.is_under_way() && going.is_under_way()));
    CHECK((ended.seed() == 1 && going.seed() == 3));
    CHECK(going.progress.rows() == 4);
    CHECK(going.summary["stop"]["round"] == 3);
    REQUIRE(seen.recorded.broken.size() == 1);
    CHECK_THAT(seen.recorded.broken[0], Catch::Contains("001: ") && Catch::Contains("it broke"));
    // Only what has ended is compared, and all of it is drawn.
    CHECK(looking.model["runs"].size() == 2);
    CHECK(looking.model["runs"][1]["progress"]["rows"] == 4);
    CHECK(looking.model["comparison"]["verdict"]["rows"][0]["costs"].size() == 1);

    if (is_part) continue;
    // What is published has no trace of it.
    CHECK(fs::exists(target / "sweep.csv"));
    CHECK_FALSE(fs::exists(target / "points.json"));
    CHECK(read_recorded_runs({target}).runs.size() == 3);
  }
}

TEST_CASE("a single run is read while it goes on, and before its first row there is none") {
  const TestFolder place;
  struct Single : RunWatcher {
    explicit Single(fs::path folder) : reader(std::move(folder)) {}
    void started(std::size_t, const Experiment&) override { at_start = reader.read().recorded.runs.size(); }
    void recorded(std::size_t, const Row& row) override {
      if (row.round != 2) return;
      seen = reader.read();
      model = report_model(seen.recorded, {.is_unfinished = true});
    }
    UnfinishedReader reader;
    std::size_t at_start = 9;
    UnfinishedRuns seen;
    Json model;
  } single(partial_of(place.path() / "alone"));
  execute(small_scenario(R"({"record": {"every": 1}, "stop": {"rounds": 4}})"), place.path() / "alone",
          {.watcher = &single});
  CHECK(single.at_start == 0);
  CHECK((single.seen.points == 1 && single.seen.finished == 0));
  CHECK(single.seen.under_way == 0.5);
  REQUIRE(single.seen.recorded.runs.size() == 1);
  CHECK(single.seen.recorded.runs[0].label == "alone");
  CHECK(single.model["comparison"].is_null());
  CHECK(single.model["comparison_missing"] == "No run has come to its end yet.");
}

}  // namespace lagnet::unfinished_runs_test
