#include "scenarios/sweep/execute.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <limits>
#include <map>
#include <stdexcept>

#include "scenarios/compare/replay.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/report/report_model.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::execute_test {

namespace fs = std::filesystem;

TEST_CASE("problems of all points of a sweep are reported once, before anything runs") {
  const auto file = small_scenario(R"({"sweep": {"/topology/agents": [3, 0], "/stop/rounds": [0, 5]}})");
  CHECK(scenario_problems([&] { Plan plan(file); }) ==
        "small.json: /stop/rounds: expected an integer at least 1, found 0\n"
        "small.json: /topology/agents: expected an integer at least 1, found 0");
}

TEST_CASE("folders of points sort like the points, however many there are") {
  CHECK(folder_of_point(0, 1) == "000");
  CHECK(folder_of_point(7, 1000) == "007");
  CHECK(folder_of_point(7, 1001) == "0007");
  CHECK(folder_of_point(1000, 1001) == "1000");
  CHECK(folder_of_point(99'999, 100'000) == "99999");
}

TEST_CASE("points are checked as a plan checks them, and of points that differ only in the seed each topology") {
  for (const char* wrong :
       {// Seed 2 draws a graph that is connected, seed 3 none.
        R"({"topology": {"kind": "random_geometric", "agents": 8, "radius": 0.4, "attempts": 1},
            "sweep": {"/seed": [2, 3]}})",
        // The second data set has a column too many, whatever the seed.
        R"({"topology": {"agents": 3}, "partition": {"kind": "feature_blocks", "sizes": [2, 2, 3]},
            "sweep": {"/seed": [1, 2], "/data/features": [7, 8]}})",
        // Labels that are no classes, at the second loss.
        R"({"algorithm": {"sigma": 0.1, "tau": 0.1}, "sweep": {"/problem/loss/kind": ["squared", "logistic"]}})"}) {
    INFO(wrong);
    const auto file = small_scenario(wrong);
    const std::string of_plan = scenario_problems([&] { Plan plan(file); });
    CHECK_FALSE(of_plan.empty());
    CHECK(scenario_problems([&] { check_points(file, sweep_points(file)); }) == of_plan);
  }
  const auto right = small_scenario(R"({"sweep": {"/seed": [1, 2], "/topology/agents": [3, 5]}})");
  CHECK_NOTHROW(check_points(right, sweep_points(right)));
}

TEST_CASE("a run is a folder, a sweep a folder of folders, and replay confirms both") {
  const TestFolder place;
  const auto run = execute(small_scenario(), place.path() / "run", {});
  CHECK((run.runs == 1 && run.failed == 0));
  CHECK(fs::exists(place.path() / "run/progress.csv"));
  CHECK_FALSE(replay(place.path() / "run", {}));

  const auto sweep = execute(small_scenario(R"({"sweep": {"/seed": [1, 2, 3]}})"), place.path() / "sweep", {});
  CHECK(sweep.runs == 3);
  CHECK(fs::exists(place.path() / "sweep/002/progress.csv"));
  CHECK_FALSE(replay(place.path() / "sweep", {.settings = {.threads = 2}}));
  CHECK(read_file(place.path() / "run/progress.csv") == read_file(place.path() / "sweep/000/progress.csv"));
}

TEST_CASE("a point's line of sweep.csv ends with the last one of its progress.csv, whatever the columns are called") {
  const TestFolder place;
  execute(small_scenario(R"({"record": {"metrics": [{"kind": "l2_error", "column": "a, \"b\""}]},
                             "sweep": {"/seed": [1, 2]}})"),
          place.path() / "s", {});
  const auto records_of = [&](const char* name) {
    const std::string text = read_file(place.path() / "s" / name);
    DataDiagnostics problems(name);
    CsvRecords records(text, ',', problems);
    std::vector<std::vector<std::string>> all(1);
    while (records.next(all.back())) all.emplace_back();
    all.pop_back();
    return all;
  };
  const auto sweep = records_of("sweep.csv"), progress = records_of("001/progress.csv");
  REQUIRE(sweep.size() == 3);
  // After point, folder, seed, stop and trace_hash, and before the times to levels.
  const auto of_progress = [&](std::vector<std::string> cells) {
    cells.erase(cells.begin(), cells.begin() + 5);
    cells.resize(progress.front().size());
    return cells;
  };
  CHECK(of_progress(sweep.front()) == progress.front());
  CHECK(of_progress(sweep.back()) == progress.back());
}

TEST_CASE("a folder with other files is refused before the scenario is assembled") {
  const TestFolder place;
  place.write("letter.txt", "dear");
  const auto wrong = small_scenario(R"({"partition": {"kind": "feature_blocks", "sizes": [1]}})");
  CHECK_THROWS_AS(execute(wrong, place.path(), {}), OutputError);
  CHECK_THROWS_AS(execute(wrong, place.path() / "new", {}), Diagnosed);
  CHECK(std::distance(fs::directory_iterator(place.path()), {}) == 1);
}

TEST_CASE("a watcher hears of each point in order") {
  const TestFolder place;
  struct Ear : RunWatcher {
    std::vector<std::string> heard;
    void planned(const Plan& plan) override { heard.push_back(std::to_string(plan.points.size()) + " planned"); }
    void started(std::size_t point, const Experiment&) override { hear("started", point); }
    void recorded(std::size_t point, const Row& row) override {
      if (row.round == 0) hear("began", point);
    }
    void finished(std::size_t point, const Experiment&, const Outcome&) override { hear("finished", point); }
    void hear(const char* what, std::size_t point) { heard.push_back(what + (" " + std::to_string(point))); }
  } ear;
  execute(small_scenario(R"({"sweep": {"/seed": [1, 2]}})"), place.path() / "r", {.watcher = &ear});
  CHECK(ear.heard == std::vector<std::string>{"2 planned", "started 0", "began 0", "finished 0", "started 1", "began 1",
                                              "finished 1"});
}

namespace {

/// The name and content of every file below a folder.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file()) files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
  return files;
}

}  // namespace

TEST_CASE("points side by side write the same files, whether their data are kept or made again") {
  const TestFolder place;
  const auto file = small_scenario(R"({"sweep": {"/topology/kind": ["ring", "star", "complete"], "/seed": [1, 2]}})");
  execute(file, place.path() / "one", {});
  const auto want = contents(place.path() / "one");
  REQUIRE(want.size() == 6 * 6 + 4);  // scenario.json, sweep.csv, sweep.json and build.txt
  constexpr Bytes enough = std::numeric_limits<Bytes>::max(), too_little = 1;
  for (const unsigned jobs : {2u, 4u})
    for (const Bytes memory : {enough, too_little}) {
      struct Counter : RunWatcher {
        unsigned going_on = 0, most = 0;
        void started(std::size_t, const Experiment&) override { most = std::max(most, ++going_on); }
        void finished(std::size_t, const Experiment&, const Outcome&) override { --going_on; }
      } counter;
      const Executed done =
          execute(file, place.path() / "more", {.settings = {.jobs = jobs, .memory = memory}, .watcher = &counter});
      CHECK((done.runs == 6 && done.failed == 0));
      CHECK(counter.most <= (memory == too_little ? 1 : jobs));
      CHECK(contents(place.path() / "more") == want);
    }
}

TEST_CASE("data are kept for all points if they fit into half of the memory, and else counted for each") {
  const auto file = small_scenario(R"({"sweep": {"/seed": [1, 2], "/topology/agents": [3, 5]}})");
  constexpr Bytes data = 8 * (20 * 7 + 20 + 7);  // of one seed
  const Plan kept(file, {.jobs = 2, .memory = 2 * 2 * data});
  CHECK(kept.settings.memory == 2 * data);
  for (const MemoryNeed& need : kept.needs) CHECK(need.shared == 0);
  const Plan counted(file, {.jobs = 2, .memory = 2 * 2 * data - 1});
  CHECK(counted.settings.memory == 2 * 2 * data - 1);
  for (const MemoryNeed& need : counted.needs) CHECK(need.shared == data);
  CHECK(counted.needs[0].shared_thing == counted.needs[1].shared_thing);
  CHECK(counted.needs[0].shared_thing != counted.needs[2].shared_thing);
}

TEST_CASE("the first point with a write error ends the sweep, and finished points are kept") {
  const TestFolder place;
  const auto file = small_scenario(R"({"sweep": {"/seed": [1, 2, 3, 4, 5, 6]}})");
  for (const unsigned jobs : {1u, 3u}) {
    struct Refusing : RunWatcher {
      void finished(std::size_t point, const Experiment&, const Outcome&) override {
        if (point >= 2) throw OutputError("point " + std::to_string(point));
      }
    } refusing;
    CHECK_THROWS_WITH(execute(file, place.path() / "r", {.settings = {.jobs = jobs}, .watcher = &refusing}), "point 2");
    CHECK_FALSE(fs::exists(place.path() / "r"));
    struct Counter : RunWatcher {
      unsigned skipped_points = 0;
      void skipped(std::size_t, const Json& summary) override {
        if (summary["status"] == "done") ++skipped_points;
      }
    } counter;
    execute(file, place.path() / "r", {.watcher = &counter});
    CHECK(counter.skipped_points >= 2);
    fs::remove_all(place.path() / "r");
  }
}

TEST_CASE("a point that ends by an error keeps its rows, and is not counted as a result") {
  const TestFolder place;
  struct Breaking : RunWatcher {
    std::vector<std::string> failures;
    void recorded(std::size_t point, const Row& row) override {
      if (point == 1 && row.round >= 2) throw std::runtime_error("it broke");
    }
    void failed(std::size_t point, const std::string& why) override {
      failures.push_back(std::to_string(point) + ": " + why);
    }
  } breaking;
  const fs::path sweep = place.path() / "s", point = sweep / "001";
  const auto file = small_scenario(R"({"record": {"every": 1}, "sweep": {"/seed": [1, 2, 3]}})");
  const Executed done = execute_sweep(file, sweep, {.watcher = &breaking});
  CHECK((done.runs == 3 && done.failed == 1));
  const std::string error = boost::trim_copy(read_file(point / "error.txt"));
  CHECK_THAT(error, Catch::Contains("it broke"));
  CHECK(breaking.failures == std::vector<std::string>{"1: " + error});
  CHECK(read_progress(point / "progress.csv").rows() == 3);
  CHECK_FALSE(fs::exists(point / "summary.json"));
  CHECK_THAT(read_file(sweep / "sweep.csv"), Catch::Contains("\n001,./001,2,error,,"));

  const RecordedRuns recorded = read_recorded_runs({sweep});
  CHECK(recorded.runs.size() == 2);
  CHECK(recorded.broken == std::vector<std::string>{point.string() + ": " + error});
  CHECK(report_model(recorded, {})["broken"] == Json{point.string() + ": " + error});
  CHECK_THROWS_WITH(read_recorded_runs({point}), point.string() +
                                                     ": expected the folder of a run or a sweep, found that of a point "
                                                     "that ended by an error: " +
                                                     error);
  CHECK_THROWS_WITH(replay(point, {}), point.string() +
                                           ": expected a folder that a run wrote, found that of a point that ended by "
                                           "an error: " +
                                           error);
  CHECK_FALSE(replay(sweep, {.watcher = &breaking}));
  CHECK(replay(sweep, {}) == Difference{.code = "no_error", .file = "001/error.txt"});
}

TEST_CASE("replay shows where long lines part") {
  const TestFolder place;
  const std::string text(200, 'x');
  execute(small_scenario(R"({"name": ")" + text + R"("})"), place.path() / "r", {});
  const fs::path summary = place.path() / "r/summary.json";
  std::string changed = read_file(summary);
  changed[changed.find("xxx") + 150] = 'y';
  write_file(summary, changed);
  CHECK(sentence(replay(place.path() / "r", {}).value()) == "summary.json:3: is `..." + std::string(20, 'x') + "y" +
                                                                std::string(39, 'x') + "...`, and `..." +
                                                                std::string(60, 'x') + "...` in the new run");
}

}  // namespace lagnet::execute_test
