#include "scenarios/files/claim.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "tests/unit/scenarios/data/data_files.hpp"

namespace lagnet::claim_test {

namespace {

namespace fs = std::filesystem;

constexpr const char* work = "point-0";

/// A member of another machine, of which nobody knows whether it lives, touched so long ago.
void write_foreign_member(const fs::path& folder, const std::string& name, std::chrono::minutes ago) {
  const fs::path file = folder / (name + Membership::suffix);
  write_file(file,
             Json{{"task", "t"}, {"host", "elsewhere"}, {"process", 1}, {"started", "1"}, {"space", "theirs"}}.dump());
  fs::last_write_time(file, fs::file_time_type::clock::now() - ago);
}

void write_foreign_claim(const fs::path& folder, const std::string& name) {
  fs::create_directories(folder / (std::string(work) + Claim::suffix));
  write_file(folder / (std::string(work) + Claim::suffix) / (name + Membership::suffix), "");
}

/// Does this in a process that ends without any cleaning up.
template <class Do>
void in_killed_process(const Do& what) {
  const pid_t child = ::fork();
  if (child == 0) {
    what();
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(WIFSIGNALED(status));
}

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

}  // namespace

TEST_CASE("a piece of work is claimed by one member at a time, and can be taken when it is given back") {
  const TestFolder place;
  const Membership first(place.path(), "t"), second(place.path(), "t");
  {
    const auto claim = Claim::take(first, work);
    REQUIRE(claim);
    CHECK(claim->is_held());
    CHECK(Claim::is_taken(place.path(), work));
    CHECK_FALSE(Claim::take(second, work));
    CHECK_FALSE(Claim::take(first, work));  // two threads of one process do not get it either
    CHECK(Claim::take(second, "point-1"));
  }
  CHECK_FALSE(Claim::is_taken(place.path(), work));
  const auto again = Claim::take(second, work);
  CHECK(again);
  CHECK_FALSE(Claim::take(first, work));
}

TEST_CASE("of many members that come for one piece of work at once exactly one gets it") {
  const TestFolder place;
  constexpr int members = 8, rounds = 40;
  for (const bool is_stale : {false, true}) {
    for (int round = 0; round < rounds; ++round) {
      const fs::path folder = place.path() / (std::to_string(round) + (is_stale ? "stale" : "free"));
      fs::create_directory(folder);
      if (is_stale) {
        write_foreign_member(folder, "gone", std::chrono::minutes(6));
        write_foreign_claim(folder, "gone");
      }
      std::barrier start(members);
      std::atomic<int> taken = 0;
      std::vector<std::jthread> threads;
      for (int k = 0; k < members; ++k)
        threads.emplace_back([&] {
          const Membership member(folder, "t");
          start.arrive_and_wait();
          const auto claim = Claim::take(member, work);
          if (claim) ++taken;
          start.arrive_and_wait();  // nobody gives anything back before all have tried
        });
      threads.clear();
      CHECK(taken == 1);
    }
  }
}

TEST_CASE("a claim is taken over when its member was silent for five minutes, and not before") {
  const TestFolder place;
  const Membership member(place.path(), "t");
  write_foreign_claim(place.path(), "other");
  write_foreign_member(place.path(), "other", std::chrono::minutes(4));
  CHECK_FALSE(Claim::take(member, work));
  CHECK(members_at_work(place.path()).size() == 2);
  write_foreign_member(place.path(), "other", std::chrono::minutes(6));
  CHECK(members_at_work(place.path()).size() == 1);
  CHECK(Claim::take(member, work));
}

TEST_CASE("a member that was silent and goes on takes nobody's claim away") {
  const TestFolder place;
  const Membership silent(place.path(), "t", std::chrono::hours(100)), other(place.path(), "t");  // it touches nothing
  auto claim = Claim::take(silent, work);
  REQUIRE(claim);
  const fs::path file = place.path() / (silent.name() + Membership::suffix);
  fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::minutes(6));
  const auto taken_over = Claim::take(other, work);
  REQUIRE(taken_over);
  CHECK_FALSE(claim->is_held());
  claim.reset();
  CHECK(taken_over->is_held());
  fs::last_write_time(file, fs::file_time_type::clock::now());
  CHECK_FALSE(Claim::take(silent, work));
}

TEST_CASE("a process of this machine that was killed has no claim any more, at once") {
  const TestFolder place;
  in_killed_process([&] {
    const Membership member(place.path(), "t");
    const auto claim = Claim::take(member, work);
    ::kill(::getpid(), SIGKILL);
  });
  REQUIRE(names_in(place.path()).size() == 2);
  CHECK(members_at_work(place.path()).empty());
  const Membership member(place.path(), "t");
  CHECK(Claim::take(member, work));
}

TEST_CASE("the number of a process that has ended may be another one's") {
  const TestFolder place;
  const fs::path file = place.path() / (std::string("old") + Membership::suffix);
  std::string own;
  {
    const Membership member(place.path(), "t");
    own = read_file(place.path() / (member.name() + Membership::suffix));
  }
  Json facts = Json::parse(own);
  write_file(file, facts.dump());
  CHECK(members_at_work(place.path()).size() == 1);
  facts["started"] = facts["started"].get<std::string>() + "0";
  write_file(file, facts.dump());
  CHECK(members_at_work(place.path()).empty());
}

TEST_CASE("a member is heard as long as it lives, and its file goes with it") {
  const TestFolder place;
  {
    const Membership member(place.path(), "t", std::chrono::milliseconds(30));  // it touches the file every 2 ms
    const fs::path file = place.path() / (member.name() + Membership::suffix);
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::minutes(6);
    fs::last_write_time(file, long_ago);
    while (fs::last_write_time(file) <= long_ago) std::this_thread::yield();
  }
  CHECK(names_in(place.path()).empty());
}

TEST_CASE("who wants a folder alone is refused beside members, and told who they are") {
  const TestFolder place;
  CHECK_NOTHROW(refuse_beside_members(place.path(), "r"));
  write_foreign_member(place.path(), "a", std::chrono::minutes(1));
  write_foreign_member(place.path(), "b", std::chrono::minutes(1));
  CHECK_THROWS_WITH(refuse_beside_members(place.path(), "r"),
                    "r: expected no other run or sweep that writes there, found a sweep that processes have joined "
                    "(process 1 on elsewhere, and 1 more): wait for its end, or join it with --join");
}

}  // namespace lagnet::claim_test
