#include "scenarios/sweep/parallel_points.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "sim/machine/allowance.hpp"

namespace lagnet {

namespace {

/// Points that have ended, handed over by their threads to the one that schedules.
class Ended {
 public:
  void add(std::size_t point) {
    const std::lock_guard lock(mutex_);
    points_.push_back(point);
    came_.notify_one();
  }
  std::vector<std::size_t> wait() {
    std::unique_lock lock(mutex_);
    came_.wait(lock, [&] { return !points_.empty(); });
    return std::exchange(points_, {});
  }

 private:
  std::mutex mutex_;
  std::condition_variable came_;
  std::vector<std::size_t> points_;
};

}  // namespace

unsigned usual_jobs(unsigned threads) { return std::max(1u, usable_cores() / std::max(1u, threads)); }

void run_in_parallel(const std::vector<MemoryNeed>& needs, const MemoryBudget& budget,
                     const std::function<void(std::size_t, const std::stop_token&)>& work) {
  if (budget.jobs == 1 || needs.size() < 2) {
    for (std::size_t point = 0; point < needs.size(); ++point) work(point, std::stop_token());
    return;
  }
  PointSchedule schedule(needs, budget.jobs, budget.memory);
  Ended ended;
  std::vector<std::exception_ptr> errors(needs.size());
  std::vector<std::jthread> threads(needs.size());
  while (!schedule.done()) {
    if (const auto point = schedule.start()) {
      threads[*point] = std::jthread([&, i = *point](const std::stop_token& unwanted) {
        try {
          work(i, unwanted);
        } catch (...) {
          errors[i] = std::current_exception();
        }
        ended.add(i);
      });
      continue;
    }
    for (const std::size_t point : ended.wait()) {
      threads[point].join();  // the memory of its thread is free from here on
      schedule.finish(point);
      if (!errors[point]) continue;
      schedule.drop_behind(point);
      for (std::size_t later = point + 1; later < threads.size(); ++later) threads[later].request_stop();
    }
  }
  const auto first = std::ranges::find_if(errors, [](const std::exception_ptr& error) { return error != nullptr; });
  if (first != errors.end()) std::rethrow_exception(*first);
}

}  // namespace lagnet
