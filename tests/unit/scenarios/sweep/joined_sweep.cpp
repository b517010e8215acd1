#include "scenarios/sweep/joined_sweep.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <thread>

#include "scenarios/sweep/execute.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"
#include "scenarios/tune/tune.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"
#include "tests/unit/scenarios/small_scenario.hpp"

namespace lagnet::joined_sweep_test {

namespace {

namespace fs = std::filesystem;

using Part = Joining::Part;

std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory()) files[entry.path().lexically_relative(folder).string()] = read_file(entry.path());
  return files;
}

ScenarioFile six_points() {
  return small_scenario(R"({"record": {"every": 1}, "sweep": {"/topology/agents": [3, 5], "/seed": [1, 2, 3]}})");
}

ExecuteOptions joined(unsigned jobs = 1, std::optional<Part> part = {}) {
  return {.budget = {.jobs = jobs}, .joining = Joining{.part = part}};
}

constexpr std::chrono::hours endless(100);  // a member touches its file in a fifteenth of it

/// A folder of two points, which several share.
struct TwoPoints {
  fs::path target;
  std::vector<PointIdentity> scenarios{"a", "b"};
  std::vector<std::string> names{"000", "001"};

  fs::path folder() const { return partial_of(target); }
  std::unique_ptr<JoinedSweep> join(std::chrono::milliseconds silence = silence_max) const {
    return std::make_unique<JoinedSweep>(target, scenarios, names, silence);
  }
  /// All that are members now were not heard for six minutes.
  void silence_all() const {
    for (const auto& entry : fs::directory_iterator(folder()))
      if (entry.path().extension() == Membership::suffix)
        fs::last_write_time(entry.path(), fs::file_time_type::clock::now() - std::chrono::minutes(6));
  }
};

void write_into(JoinedSweep::Attempt& attempt, const std::string& text) {
  const fs::path folder = attempt.begin();
  make_folder(folder);
  write_file(folder / "progress.csv", text);
}

void run(JoinedSweep& sweep, std::size_t point, const std::string& text) {
  const auto attempt = sweep.take(point);
  REQUIRE(attempt);
  write_into(*attempt, text);
  sweep.finish(point, *attempt);
}

bool publish(JoinedSweep& sweep) {
  return sweep.publish([&] { write_file(sweep.folder() / "sweep.csv", "all"); });
}

const std::map<std::string, std::string> results{
    {"000/progress.csv", "first"}, {"001/progress.csv", "second"}, {"sweep.csv", "all"}};

}  // namespace

TEST_CASE("processes that join a sweep write what one alone writes, and all say the same of it") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", {});
  const auto want = files_of(place.path() / "r");
  for (const unsigned jobs : {1u, 3u}) {
    fs::remove_all(place.path() / "r");
    std::vector<Executed> done(4);
    {
      std::vector<std::jthread> threads;
      for (Executed& one : done)
        threads.emplace_back([&] { one = execute_sweep(six_points(), place.path() / "r", joined(jobs)); });
    }
    CHECK(files_of(place.path() / "r") == want);
    CHECK_FALSE(fs::exists(place.path() / "r.partial"));
    int publishers = 0;
    for (const Executed& one : done) {
      CHECK((one.runs == 6 && one.failed == 0));
      if (one.published == Executed::Published::here) ++publishers;
    }
    CHECK(publishers == 1);
  }
}

TEST_CASE("who comes when all is published finds it done") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", joined());
  const auto time = fs::last_write_time(place.path() / "r/sweep.csv");
  struct Counter : RunWatcher {
    int before = 0;
    void skipped(std::size_t, const Json&) override { ++before; }
  } counter;
  ExecuteOptions late = joined();
  late.watcher = &counter;
  CHECK(execute_sweep(six_points(), place.path() / "r", late).published == Executed::Published::before);
  CHECK(counter.before == 6);
  CHECK(fs::last_write_time(place.path() / "r/sweep.csv") == time);
  const auto other = small_scenario(R"({"sweep": {"/seed": [1, 2]}})");
  CHECK_THROWS_WITH(execute_sweep(other, place.path() / "r", joined()), Catch::Contains("found those of another"));
  ExecuteOptions replacing = joined();
  replacing.replaces = true;
  CHECK(execute_sweep(other, place.path() / "r", replacing).published == Executed::Published::here);
  CHECK(files_of(place.path() / "r").size() == 2 * 6 + 4);
}

TEST_CASE("who comes when all is published runs nothing again beside one that comes late, but beside one that does") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", joined());
  make_folder(place.path() / "r.partial");
  write_file(place.path() / "r.partial" / FolderLock::name, "");
  {
    const Membership late(place.path() / "r.partial", "it looks for results, and leaves");
    CHECK(execute_sweep(six_points(), place.path() / "r", joined()).published == Executed::Published::before);
  }
  const Membership other(place.path() / "r.partial", "other points", silence_max, true);
  CHECK_THROWS_WITH(execute_sweep(six_points(), place.path() / "r", joined()),
                    Catch::Contains("found process") && Catch::Contains("which has joined with other ones"));
}

TEST_CASE("parts of a sweep are left finished for a sweep that publishes") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", {});
  const auto want = files_of(place.path() / "r");
  fs::remove_all(place.path() / "r");
  for (const std::size_t number : {2u, 1u}) {
    const Executed done = execute_sweep(six_points(), place.path() / "r", joined(2, Part{.number = number, .of = 2}));
    CHECK((done.runs == 3 && done.left == (number == 2 ? 3 : 0)));
    CHECK(done.published == Executed::Published::not_yet);
    CHECK_FALSE(fs::exists(place.path() / "r"));
  }
  struct Counter : RunWatcher {
    int kept = 0;
    void skipped(std::size_t, const Json&) override { ++kept; }
  } counter;
  execute_sweep(six_points(), place.path() / "r", {.watcher = &counter});
  CHECK(counter.kept == 6);
  CHECK(files_of(place.path() / "r") == want);
}

TEST_CASE("a joined sweep retimes points that are alike as one process does, and errors of points are results") {
  const TestFolder place;
  const auto file =
      small_scenario(R"({"record": {"every": 1}, "algorithm": {"tau": 0.001}, "sweep": {"/algorithm/sigma": [1, 1e150],
                                      "/network/latency_ms": [1, 2, 3]}})");
  const Executed alone = execute_sweep(file, place.path() / "r", {}, Plan::Alike::shared);
  CHECK(alone.failed > 0);
  const auto want = files_of(place.path() / "r");
  fs::remove_all(place.path() / "r");
  std::vector<Executed> done(3);
  {
    std::vector<std::jthread> threads;
    for (Executed& one : done)
      threads.emplace_back([&] { one = execute_sweep(file, place.path() / "r", joined(), Plan::Alike::shared); });
  }
  for (const Executed& one : done) CHECK(one.failed == alone.failed);
  CHECK(files_of(place.path() / "r") == want);
}

TEST_CASE("of two attempts at a point the first that is finished counts") {
  for (const bool silent_is_first : {false, true}) {
    const TestFolder place;
    const TwoPoints two{place.path() / "r"};
    const auto silent = two.join(endless), other = two.join();
    auto old = silent->take(0);
    REQUIRE(old);
    CHECK_FALSE(other->take(0));
    two.silence_all();
    const auto active = two.join();
    auto fresh = active->take(0);
    REQUIRE(fresh);
    write_into(*old, "old");
    write_into(*fresh, "fresh");
    if (silent_is_first) silent->finish(0, *old);
    active->finish(0, *fresh);
    if (!silent_is_first) silent->finish(0, *old);
    old.reset();
    fresh.reset();
    CHECK((silent->is_finished(0) && active->is_finished(0) && other->is_finished(0)));
    CHECK_FALSE(other->take(0));
    CHECK_FALSE(publish(*active));
    run(*active, 1, "second");
    CHECK(publish(*active));
    CHECK((silent->is_over() && other->is_over() && !publish(*other)));
    auto want = results;
    want["000/progress.csv"] = silent_is_first ? "old" : "fresh";
    CHECK(files_of(two.target) == want);
    CHECK_FALSE(fs::exists(two.folder()));
  }
}

TEST_CASE("what was left by those that were killed, and by other sweeps, is in no results") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  {
    const SweepCheckpoint before(two.target, {"other"});  // is removed with what is in it, as it has no finished point
  }
  const auto sweep = two.join();
  // An attempt at the first point, complete but for its certificate, or torn.
  const fs::path torn = sweep->folder() / PointPlaces(sweep->folder(), two.scenarios).key(0);
  for (const fs::path& folder : {torn, fs::path(torn.string() + ".x.running"), sweep->folder() / "000"}) {
    make_folder(folder);
    write_file(folder / "progress.csv", "torn");
  }
  write_file(torn.string() + ".finished", "of another build");
  write_file(sweep->folder() / "tuned.json", "{}");
  CHECK_FALSE(sweep->is_finished(0));
  run(*sweep, 0, "first");
  run(*sweep, 1, "second");
  CHECK(publish(*sweep));
  CHECK(files_of(two.target) == results);
}

TEST_CASE("a process that is killed while it publishes leaves that to others, wherever it came to") {
  for (const int renamed : {0, 1, 2}) {
    const TestFolder place;
    const TwoPoints two{place.path() / "r"};
    {
      const auto first = two.join();
      run(*first, 0, "first");
      run(*first, 1, "second");
    }
    const PointPlaces places(two.folder(), two.scenarios);
    for (int i = 0; i < renamed; ++i)
      fs::rename(places.place(static_cast<std::size_t>(i)), two.folder() / two.names[static_cast<std::size_t>(i)]);
    write_file(two.folder() / "sweep.csv", "half of");
    const auto second = two.join();
    CHECK((second->is_finished(0) && second->is_finished(1)));
    CHECK(publish(*second));
    CHECK(files_of(two.target) == results);
  }
}

TEST_CASE("a publication that was broken off is undone for any other sweep, whose points have other names") {
  for (const bool is_joined : {true, false}) {
    const TestFolder place;
    const TwoPoints two{place.path() / "r"},
        three{.target = two.target, .scenarios = {"new", "a", "b"}, .names = {"000", "001", "002"}};
    {
      const auto first = two.join();
      first->announce("{}");
      run(*first, 0, "first");
      run(*first, 1, "second");
    }
    const PointPlaces places(two.folder(), two.scenarios);
    for (const std::size_t i : {0u, 1u}) fs::rename(places.place(i), two.folder() / two.names[i]);
    if (is_joined) {
      const auto second = three.join();
      CHECK((!second->is_finished(0) && second->is_finished(1) && second->is_finished(2)));
      second->announce("{}");
      run(*second, 0, "new");
      CHECK(publish(*second));
    } else {
      SweepCheckpoint second(three.target, three.scenarios);
      CHECK((!second.is_finished(0) && second.is_finished(1) && second.is_finished(2)));
      const fs::path folder = second.begin(0);
      make_folder(folder);
      write_file(folder / "progress.csv", "new");
      second.finish(0);
      second.announce("{}", three.names);
      second.publish(three.names);
    }
    auto files = files_of(three.target);
    files.erase("sweep.csv");
    files.erase("scenario.json");
    CHECK(files == std::map<std::string, std::string>{
                       {"000/progress.csv", "new"}, {"001/progress.csv", "first"}, {"002/progress.csv", "second"}});
  }
}

TEST_CASE("who joins while results are written is known as long as they are not published, and finds them then") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  const auto publisher = two.join();
  run(*publisher, 0, "first");
  run(*publisher, 1, "second");
  std::unique_ptr<JoinedSweep> newcomer;
  CHECK_THROWS_AS(publisher->publish([&] {
    newcomer = two.join();
    throw OutputError("the disk is full");
  }),
                  OutputError);
  CHECK(members_at_work(two.folder()).size() == 2);
  CHECK((newcomer->is_finished(0) && newcomer->is_finished(1) && !newcomer->take(0)));
  CHECK(publish(*publisher));
  CHECK((newcomer->is_over() && !publish(*newcomer)));
  CHECK(files_of(two.target) == results);
}

TEST_CASE("what a publisher has left in the results that was killed at the very end goes with the next that looks") {
  const TestFolder place;
  execute_sweep(six_points(), place.path() / "r", {});
  const auto want = files_of(place.path() / "r");
  make_folder(place.path() / "r/publication.claim");
  for (const char* name : {"publication.claim/x.member", "x.member", "y-0.member.partial", FolderLock::name})
    write_file(place.path() / "r" / name, "{}");
  fs::last_write_time(place.path() / "r/x.member", fs::file_time_type::clock::now() - std::chrono::minutes(6));
  CHECK(execute_sweep(six_points(), place.path() / "r", joined()).published == Executed::Published::before);
  CHECK(files_of(place.path() / "r") == want);
}

TEST_CASE("an attempt that is given up can be taken at once, and leaves nothing") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  const auto one = two.join(), other = two.join();
  auto attempt = one->take(0);
  REQUIRE(attempt);
  write_into(*attempt, "torn");
  const fs::path folder = attempt->begin();
  make_folder(folder);
  attempt.reset();
  CHECK_FALSE(fs::exists(folder));
  run(*other, 0, "first");
  CHECK(one->is_finished(0));
}

TEST_CASE("finished points of a joined sweep are those of one that is not, and the reverse") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  run(*two.join(), 0, "first");
  {
    SweepCheckpoint alone(two.target, two.scenarios);
    CHECK((alone.is_finished(0) && !alone.is_finished(1)));
    const fs::path folder = alone.begin(1);
    make_folder(folder);
    write_file(folder / "progress.csv", "second");
    alone.finish(1);
  }
  const auto joined = two.join();
  CHECK((joined->is_finished(0) && joined->is_finished(1)));
  CHECK(publish(*joined));
  CHECK(files_of(two.target) == results);
}

TEST_CASE("a sweep that is not joined is refused beside one that is and the reverse") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"};
  {
    const auto one = two.join();
    for (const auto remains : {StagedFolder::Remains::kept, StagedFolder::Remains::removed})
      CHECK_THROWS_WITH(StagedFolder(two.target, remains), Catch::Contains("found a sweep that processes have joined"));
    CHECK_NOTHROW(two.join());
  }
  const StagedFolder alone(two.target, StagedFolder::Remains::kept);
  CHECK_THROWS_WITH(
      two.join(),
      two.target.string() + ": expected no run or sweep that writes there and is not joined, found one that does");
}

TEST_CASE("processes with other points or other scenarios are refused, but for those that are gone") {
  const TestFolder place;
  const TwoPoints two{place.path() / "r"}, other{.target = two.target, .scenarios = {"a", "c"}};
  {
    const auto one = two.join();
    CHECK_THROWS_WITH(other.join(),
                      Catch::Contains("expected processes that run the same points with the same build of lagnet"));
    CHECK_NOTHROW(two.join());
    run(*one, 0, "first");
  }
  const auto later = other.join();
  CHECK(later->is_finished(0));
  run(*later, 1, "second");
  CHECK(publish(*later));
  CHECK(files_of(two.target) == results);
}

TEST_CASE("a joined tuning finds what one process finds, whoever writes it") {
  const TestFolder place;
  const auto file = small_scenario(R"({"stop": {"rounds": 30}, "record": {"every": 1}, "tune": {"candidates": 4,
      "ranges": {"/algorithm/tau": {"low": 0.1, "high": 1}, "/algorithm/sigma": {"low": 0.1, "high": 1}}}})");
  const Json want = execute_tune(file, place.path() / "r", {});
  const auto files = files_of(place.path() / "r");
  fs::remove_all(place.path() / "r");
  std::vector<Json> found(3);
  {
    std::vector<std::jthread> threads;
    for (Json& one : found) threads.emplace_back([&] { one = execute_tune(file, place.path() / "r", joined()); });
  }
  for (const Json& one : found) CHECK(one == want);
  CHECK(files_of(place.path() / "r") == files);
  fs::remove_all(place.path() / "r");
  CHECK(execute_tune(file, place.path() / "r", joined(1, Part{.number = 1, .of = 2})).is_null());
}

}  // namespace lagnet::joined_sweep_test
