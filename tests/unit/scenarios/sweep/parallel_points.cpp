#include "scenarios/sweep/parallel_points.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sim/machine/allowance.hpp"

namespace lagnet::parallel_points_test {

TEST_CASE("one job does everything in order on the thread that asks") {
  std::vector<std::size_t> done;
  const auto here = std::this_thread::get_id();
  run_in_parallel(std::vector<MemoryNeed>(3), {}, [&](std::size_t point, const std::stop_token&) {
    CHECK(std::this_thread::get_id() == here);
    done.push_back(point);
  });
  CHECK(done == std::vector<std::size_t>{0, 1, 2});
}

TEST_CASE("as many points as there are jobs really run at the same time") {
  std::barrier meeting(3);  // no thread would pass it alone
  std::vector<int> done(6);
  run_in_parallel(std::vector<MemoryNeed>(6), {.jobs = 3}, [&](std::size_t point, const std::stop_token&) {
    meeting.arrive_and_wait();
    ++done[point];
  });
  CHECK(done == std::vector<int>(6, 1));
}

TEST_CASE("the error is that of the first point that fails, whichever fails first") {
  for (const unsigned jobs : {1u, 2u, 4u}) {
    std::atomic<bool> later_failed = jobs == 1;
    std::atomic<int> behind = 0;
    const auto work = [&](std::size_t point, const std::stop_token&) {
      if (point == 1) {
        while (!later_failed) std::this_thread::yield();
        throw std::runtime_error("first");
      }
      if (point == 2) {
        later_failed = true;
        throw std::runtime_error("second");
      }
      if (point > 20) ++behind;
    };
    CHECK_THROWS_WITH(run_in_parallel(std::vector<MemoryNeed>(40), {.jobs = jobs}, work), "first");
    if (jobs <= 2) CHECK(behind == 0);  // with more, others can be done while the failure is on its way
  }
}

TEST_CASE("points behind a failure are asked to end") {
  std::atomic<bool> runs = false;
  const auto work = [&](std::size_t point, const std::stop_token& unwanted) {
    if (point == 0) {
      while (!runs) std::this_thread::yield();
      throw std::runtime_error("failed");
    }
    runs = true;
    while (!unwanted.stop_requested()) std::this_thread::yield();
  };
  CHECK_THROWS_WITH(run_in_parallel(std::vector<MemoryNeed>(2), {.jobs = 2}, work), "failed");
}

/// How many points the thread of each had done by then, itself included. All need as much memory.
std::vector<int> turns_of_threads(Bytes own) {
  std::vector<int> turns(20);
  run_in_parallel(std::vector<MemoryNeed>(turns.size(), {.own = own}), {.jobs = 2},
                  [&](std::size_t point, const std::stop_token&) {
                    static thread_local int done_here = 0;
                    turns[point] = ++done_here;
                  });
  return turns;
}

TEST_CASE("small points take turns on few threads, each of which ends before it has kept much memory") {
  const std::vector<int> turns = turns_of_threads(1000);
  CHECK(std::ranges::count(turns, 1) <= 3);  // two at a time, and one more after a thread has done 16 of the 20
  CHECK(std::ranges::max(turns) <= 16);
}

TEST_CASE("a large point has a thread of its own") { CHECK(turns_of_threads(1 << 30) == std::vector<int>(20, 1)); }

TEST_CASE("a small point that fails among others on a thread is the first error, and none behind it starts") {
  std::vector<std::atomic<int>> done(100);
  const auto work = [&](std::size_t point, const std::stop_token&) {
    if (point == 40) throw std::runtime_error("fortieth");
    ++done[point];
  };
  CHECK_THROWS_WITH(run_in_parallel(std::vector<MemoryNeed>(done.size()), {.jobs = 3}, work), "fortieth");
  CHECK(std::ranges::all_of(done.begin(), done.begin() + 40, [](const auto& times) { return times == 1; }));
  CHECK(std::ranges::all_of(done, [](const auto& times) { return times <= 1; }));
}

TEST_CASE("the machine's limits are there") {
  CHECK(asked_settings(1, {}).jobs >= 1);
  CHECK(asked_settings(1024, {}).jobs == 1);
  CHECK(asked_settings(2, 7).jobs == 7);
  CHECK(asked_settings(2, 7).memory == memory_budget());
  CHECK(memory_budget() > 1 << 20);
}

}  // namespace lagnet::parallel_points_test
