#include "scenarios/files/interruption.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <thread>

#include "scenarios/files/result_folder.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::interruption_test {

namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

constexpr milliseconds long_patience{60000};

/// The exit status of a process that does this.
template <class Do>
int status_of(const Do& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    what();
    ::_exit(99);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

/// Ends a process with what it leaves: 1 for something kept, 2 for this result. Tests before may have left others.
[[noreturn]] void end(milliseconds patience, const fs::path& result) {
  end_by_interruption(patience, [&result](const Leftovers& left) {
    ::_exit((left.kept ? 1 : 0) + (left.result && *left.result == result ? 2 : 0));
  });
}

}  // namespace

TEST_CASE("an interruption removes unfinished folders with their content, and leaves kept ones") {
  const TestFolder place;
  const fs::path folder = place.path() / "r.partial";
  for (const bool kept : {false, true}) {
    fs::create_directories(folder / "inner");
    CHECK(status_of([&] {
            Unfinished unfinished(folder);
            if (kept) unfinished.keep();
            end(long_patience, folder);
          }) == (kept ? 1 : 0));
    CHECK(fs::exists(folder) == kept);
  }
}

TEST_CASE("an interruption leaves folders kept by an earlier run, even early in the next run") {
  const TestFolder place;
  const fs::path target = place.path() / "r";
  const auto interrupted = [&](bool is_of_use) {
    return status_of([&] {
      StagedFolder staged(target, StagedFolder::Remains::kept);
      if (!is_of_use) staged.keep(false);
      end(long_patience, target);
    });
  };
  CHECK(interrupted(true) == 0);  // there is nothing to keep
  CHECK(!fs::exists(partial_of(target)));
  write_file(StagedFolder(target, StagedFolder::Remains::kept).folder() / "sweep.csv", "finished");
  CHECK(interrupted(true) == 1);
  CHECK(read_file(partial_of(target) / "sweep.csv") == "finished");
  CHECK(interrupted(false) == 0);
  CHECK(!fs::exists(partial_of(target)));
}

TEST_CASE("an interruption leaves finished folders") {
  const TestFolder place;
  place.write("file", "theirs");
  CHECK(status_of([&] {
          { const Unfinished for_a_while(place.path() / "file"); }
          end(milliseconds(0), place.path() / "file");
        }) == 0);
  CHECK(fs::exists(place.path() / "file"));
}

TEST_CASE("an interruption waits for a commit in progress, and reports its result") {
  const TestFolder place;
  CHECK(status_of([&] {
          std::optional<Commit> commit(place.path() / "result");
          std::thread other([&] { end(milliseconds(0), place.path() / "result"); });
          place.write("result", "whole");
          commit->done();
          commit.reset();
          other.join();
        }) == 2);
  CHECK(fs::exists(place.path() / "result"));
}

TEST_CASE("after an interruption the program ends by itself only if everything is complete") {
  const TestFolder place;
  const auto complete = [&] {
    Commit commit(place.path() / "result");
    commit.done();
  };
  CHECK(status_of([&] {
          complete();
          std::thread([] { end(long_patience, ""); }).detach();
          ::_exit(7);
        }) == 7);
  CHECK(status_of([&] {
          complete();
          const Unfinished next(place.path() / "next");
          end(long_patience, place.path() / "result");
        }) == 2);
}

TEST_CASE("the result of a commit within another is a part of it") {
  CHECK(status_of([] {
          const Commit outer("outer");
          Commit inner("inner");
          inner.done();
          end(milliseconds(0), "inner");
        }) == 0);
}

TEST_CASE("published folders replace earlier ones, and no other file stays") {
  const TestFolder place;
  const fs::path target = place.path() / "r";
  for (const std::string text : {"first", "second"}) {
    StagedFolder staged(target);
    for (const char* name : {"scenario.json", "summary.json"}) write_file(staged.folder() / name, text);
    staged.publish();
    CHECK(read_file(target / "summary.json") == text);
    CHECK(std::distance(fs::directory_iterator(target), {}) == 2);
    CHECK(std::distance(fs::directory_iterator(place.path()), {}) == 1);
  }
}

}  // namespace lagnet::interruption_test
