#include "scenarios/sweep/parallel_points.hpp"

#include <catch2/catch.hpp>

#include <atomic>
#include <barrier>
#include <stdexcept>
#include <string>
#include <thread>

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
  std::barrier meeting(3);  // nobody would pass it alone
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

TEST_CASE("the machine's limits are there") {
  CHECK(usual_jobs(1) >= 1);
  CHECK(usual_jobs(1024) == 1);
  CHECK(memory_budget() > 1 << 20);
}

}  // namespace lagnet::parallel_points_test
