#include "scenarios/execute.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "tests/unit/scenarios/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

using namespace lagnet;

namespace fs = std::filesystem;

TEST_CASE("problems of all points of a sweep are told before anything runs, each once") {
  const auto file = small_scenario(R"({"sweep": {"/topology/agents": [3, 0], "/stop/rounds": [0, 5]}})");
  CHECK(scenario_problems([&] { Plan plan(file); }) ==
        "small.json: /stop/rounds: expected an integer at least 1, found 0\n"
        "small.json: /topology/agents: expected an integer at least 1, found 0");
}

TEST_CASE("a run is a folder, a sweep a folder of folders, and replay confirms both") {
  const TestFolder place;
  const auto run = execute(small_scenario(), place.path() / "run", {});
  CHECK((run.runs == 1 && run.failed == 0));
  CHECK(fs::exists(place.path() / "run/progress.csv"));
  CHECK(replay(place.path() / "run", {}).empty());

  const auto sweep = execute(small_scenario(R"({"sweep": {"/seed": [1, 2, 3]}})"), place.path() / "sweep", {});
  CHECK(sweep.runs == 3);
  CHECK(fs::exists(place.path() / "sweep/002/progress.csv"));
  CHECK(replay(place.path() / "sweep", {.threads = 2}).empty());
  CHECK(read_file(place.path() / "run/progress.csv") == read_file(place.path() / "sweep/000/progress.csv"));
}

TEST_CASE("a folder with other files is refused before the scenario is assembled") {
  const TestFolder place;
  place.write("letter.txt", "dear");
  const auto wrong = small_scenario(R"({"partition": {"kind": "feature_blocks", "sizes": [1]}})");
  CHECK_THROWS_AS(execute(wrong, place.path(), {}), OutputError);
  CHECK_THROWS_AS(execute(wrong, place.path() / "new", {}), ScenarioError);
  CHECK(std::distance(fs::directory_iterator(place.path()), {}) == 1);
}

TEST_CASE("who listens hears of each point in order, and of the folder before it is written") {
  const TestFolder place;
  std::vector<std::string> heard;
  ExecuteOptions options;
  options.writing = [&](const fs::path& folder) { heard.push_back("writing " + folder.filename().string()); };
  options.started = [&](std::size_t point, std::size_t points, const SweepPoint&, const Assembly&) {
    heard.push_back("started " + std::to_string(point) + " of " + std::to_string(points));
  };
  options.finished = [&](const Assembly&, const Outcome&) { heard.push_back("finished"); };
  execute(small_scenario(R"({"sweep": {"/seed": [1, 2]}})"), place.path() / "r", options);
  CHECK(heard ==
        std::vector<std::string>{"writing r.partial", "started 0 of 2", "finished", "started 1 of 2", "finished"});
}

TEST_CASE("replay shows where long lines part") {
  const TestFolder place;
  const std::string text(200, 'x');
  execute(small_scenario(R"({"name": ")" + text + R"("})"), place.path() / "r", {});
  const fs::path summary = place.path() / "r/summary.json";
  std::string changed = read_file(summary);
  changed[changed.find("xxx") + 150] = 'y';
  write_file(summary, changed);
  CHECK(replay(place.path() / "r", {}) == "summary.json:3: is `..." + std::string(20, 'x') + "y" +
                                              std::string(39, 'x') + "...`, and `..." + std::string(60, 'x') +
                                              "...` in the new run");
}
