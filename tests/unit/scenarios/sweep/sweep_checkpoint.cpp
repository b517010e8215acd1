#include "scenarios/sweep/sweep_checkpoint.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "scenarios/sweep/execute.hpp"
#include "scenarios/tune/tune.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::sweep_checkpoint_test {

namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

Files files_of(const fs::path& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
  return files;
}

ScenarioFile six_points() {
  return small_scenario(R"({"record": {"every": 1}, "sweep": {"/topology/agents": [3, 5], "/seed": [1, 2, 3]}})");
}

ExecuteOptions part(const char* shown, unsigned jobs = 1) {
  return {.settings = {.jobs = jobs}, .part = share_of(shown)};
}

struct Counter : RunWatcher {
  int kept = 0, left_out_ = 0;
  void skipped(std::size_t, const Json&) override { ++kept; }
  void left_out(std::size_t) override { ++left_out_; }
};

/// A folder of two points, "a" and "b".
struct TwoPoints {
  fs::path target;
  std::vector<std::string> scenarios = {"a", "b"}, names = {"000", "001"};

  std::unique_ptr<SweepCheckpoint> open(const char* share = nullptr) const {
    std::vector<PointIdentity> points;
    for (const std::string& scenario : scenarios) points.push_back({.scenario = scenario});
    return std::make_unique<SweepCheckpoint>(target, points, names, false, share ? share_of(share) : std::nullopt);
  }
};

void run(SweepCheckpoint& checkpoint, std::size_t point, const std::string& text) {
  const fs::path folder = checkpoint.begin(point);
  make_folder(folder);
  write_file(folder / "progress.csv", text);
  checkpoint.finish(point);
}

}  // namespace

TEST_CASE("parts of a sweep leave their points finished, and the sweep writes what one process writes") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", {});
  const Files want = files_of(place.path() / "r");
  using Parts = std::vector<const char*>;
  for (const auto& [parts, finished] :
       {std::pair(Parts{"2/2", "1/2"}, 6), {Parts{"1/2", "3/3"}, 4}, {Parts{"1/1"}, 6}, {Parts{"9/9"}, 0}}) {
    fs::remove_all(place.path() / "r");
    for (const char* one : parts) {
      const Executed done = execute_sweep(six_points(), place.path() / "r", part(one, 2));
      CHECK(done.published == Executed::Published::not_yet);
      CHECK_FALSE(fs::exists(place.path() / "r"));
    }
    Counter counter;
    execute_sweep(six_points(), place.path() / "r", {.watcher = &counter});
    CHECK(counter.kept == finished);
    CHECK(files_of(place.path() / "r") == want);
    CHECK_FALSE(fs::exists(place.path() / "r.partial"));
  }
}

TEST_CASE("parts of different numbers skip the points that others have finished") {
  const TestFolder place;
  for (const char* one : {"1/2", "2/3"}) {
    Counter counter;
    ExecuteOptions options = part(one);
    options.watcher = &counter;
    const Executed done = execute_sweep(six_points(), place.path() / "r", options);
    // Of the points 1 and 4, the first part has run number 4.
    CHECK((done.runs == (one[0] == '1' ? 3 : 2) && counter.left_out_ == (one[0] == '1' ? 3 : 4)));
    CHECK(counter.kept == (one[0] == '1' ? 0 : 1));
  }
}

TEST_CASE("a part of a sweep whose results exist runs nothing") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", {});
  Counter counter;
  ExecuteOptions late = part("2/3");
  late.watcher = &counter;
  CHECK(execute_sweep(six_points(), place.path() / "r", late).published == Executed::Published::before);
  CHECK((counter.kept == 2 && counter.left_out_ == 4));
  CHECK_FALSE(fs::exists(place.path() / "r.partial"));
}

TEST_CASE("parts of a tuning leave its candidates finished") {
  const TestFolder place;
  const auto file = small_scenario(R"({"stop": {"rounds": 30}, "record": {"every": 1}, "tune": {"candidates": 4,
      "ranges": {"/algorithm/tau": {"low": 0.1, "high": 1}, "/algorithm/sigma": {"low": 0.1, "high": 1}}}})");
  const Json want = execute_tune(file, place.path() / "r", {});
  const Files files = files_of(place.path() / "r");
  fs::remove_all(place.path() / "r");
  for (const char* one : {"1/2", "2/2"}) CHECK(execute_tune(file, place.path() / "r", part(one)).is_null());
  CHECK(execute_tune(file, place.path() / "r", {}) == want);
  CHECK(files_of(place.path() / "r") == files);
}

TEST_CASE("a part removes what its killed predecessor has left, and nothing of other parts") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  const auto first = two.open("1/2");
  make_folder(first->begin(0));
  const fs::path of_second = two.open("2/2")->begin(1);
  make_folder(of_second);
  const fs::path left = first->folder() / "point-00000000-0.other-1.running";
  make_folder(left);
  const fs::path killed = fs::path(first->place(1).string() + ".elsewhere-7.running");
  make_folder(killed);
  const auto second = two.open("2/2");
  CHECK((fs::exists(first->begin(0).parent_path()) && fs::exists(left)));
  CHECK_FALSE((fs::exists(killed) || fs::exists(of_second)));
}

TEST_CASE("of two attempts at a point the first that is finished counts") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  const auto part = two.open("1/2");
  run(*part, 0, "first");
  run(*part, 0, "late");
  CHECK(read_file(part->place(0) / "progress.csv") == "first");
  CHECK_FALSE(fs::exists(part->begin(0)));
}

TEST_CASE("a publication that was killed is taken back, also by a part and by a sweep with other points") {
  for (const int renamed : {0, 1, 2})
    for (const char* share : {static_cast<const char*>(nullptr), "1/3"}) {
      const TestFolder place;
      const TwoPoints two{place.path() / "r"},
          three{.target = two.target, .scenarios = {"new", "a", "b"}, .names = {"000", "001", "002"}};
      {
        const auto first = two.open();
        first->announce("{}");
        run(*first, 0, "first");
        run(*first, 1, "second");
        for (std::size_t i = 0; i < static_cast<std::size_t>(renamed); ++i)
          fs::rename(first->place(i), first->folder() / two.names[i]);
      }
      {
        const auto next = three.open(share);
        CHECK((!next->is_finished(0) && next->is_finished(1) && next->is_finished(2)));
        next->announce("{}");
        run(*next, 0, "new");
      }
      three.open()->publish();
      Files files = files_of(three.target);
      files.erase("scenario.json");
      CHECK(files == Files{{"000/progress.csv", "new"}, {"001/progress.csv", "first"}, {"002/progress.csv", "second"}});
    }
}

}  // namespace lagnet::sweep_checkpoint_test
