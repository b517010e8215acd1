#include "scenarios/sweep/parallel_points.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "sim/machine/allowance.hpp"

namespace lagnet {

namespace {

/// Points and the threads that do them. All but the work itself is done under the mutex.
class ParallelPoints {
 public:
  using Work = std::function<void(std::size_t, const std::stop_token&)>;

  ParallelPoints(const std::vector<MemoryNeed>& needs, const RunSettings& settings, const Work& work)
      : needs_(needs), jobs_(settings.jobs), work_(work), schedule_(needs, settings.jobs, settings.memory) {}

  void run() {
    std::unique_lock lock(mutex_);
    try {
      while (!failure_ && !schedule_.done()) {
        if (const auto started = start()) {
          threads_[newest_] = std::jthread([this, thread = newest_, first = *started] { take_turns(thread, first); });
          ++newest_;
          continue;
        }
        changed_.wait(lock, [&] { return has_changed_; });
        has_changed_ = false;
        for (Ended& one : std::exchange(ended_, {})) {
          threads_.erase(one.thread);  // joins it; its memory is free from here on
          if (one.point) finish(*one.point, std::move(one.error));
        }
      }
    } catch (...) {  // no further thread can be had
      give_up();
      throw;
    }
    if (failure_) give_up();
    lock.unlock();
    threads_.clear();
    if (failure_) std::rethrow_exception(failure_);
    if (!errors_.empty()) std::rethrow_exception(errors_.begin()->second);
  }

 private:
  // Pools keep memory for each size of messages until their thread ends: little where a point needs little.
  static constexpr Bytes small = 1 << 16;
  static constexpr int most_turns = 16;

  struct Started {
    std::size_t point;
    std::stop_token unwanted;
  };
  struct Ended {
    std::size_t thread;
    std::optional<std::size_t> point;  // that is finished when the thread has been joined
    std::exception_ptr error;
  };

  std::optional<Started> start() {
    const auto point = schedule_.start();
    if (!point) return std::nullopt;
    return Started{*point, unwanted_[*point].get_token()};
  }

  void finish(std::size_t point, std::exception_ptr error) {
    schedule_.finish(point);
    unwanted_.erase(point);
    if (!error) return;
    errors_[point] = std::move(error);
    schedule_.drop_behind(point);
    for (auto later = unwanted_.upper_bound(point); later != unwanted_.end(); ++later) later->second.request_stop();
  }

  void give_up() {
    schedule_.drop_behind(0);  // which was the first to start
    for (auto& [point, source] : unwanted_) source.request_stop();
  }

  void notify() {
    has_changed_ = true;
    changed_.notify_one();
  }

  std::exception_ptr attempt(const Started& started) const {
    try {
      work_(started.point, started.unwanted);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  /// What a thread does: a point, and after a small one the next.
  void take_turns(std::size_t thread, Started started) {
    for (int turn = 1;; ++turn) {
      std::exception_ptr error = attempt(started);
      const std::lock_guard lock(mutex_);
      try {
        if (needs_[started.point].own > small) {
          ended_.push_back({thread, started.point, std::move(error)});
          return notify();
        }
        const bool goes_on = !error && turn < most_turns;
        finish(started.point, std::move(error));
        const auto next = goes_on ? start() : std::nullopt;
        if (!next) ended_.push_back({thread, std::nullopt, nullptr});
        if (schedule_.running().size() < jobs_) notify();  // there may be room for others
        if (!next) return;
        started = *next;
      } catch (...) {
        failure_ = std::current_exception();
        return notify();
      }
    }
  }

  const std::vector<MemoryNeed>& needs_;
  const std::size_t jobs_;
  const Work& work_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool has_changed_ = false;
  PointSchedule schedule_;
  std::map<std::size_t, std::stop_source> unwanted_;  // of the points that run
  std::map<std::size_t, std::exception_ptr> errors_;  // of the points that threw
  std::exception_ptr failure_;                        // of a thread outside the work
  std::vector<Ended> ended_;
  std::size_t newest_ = 0;
  std::map<std::size_t, std::jthread> threads_;  // the last member, so that they end before what they use
};

}  // namespace

RunSettings asked_settings(unsigned threads, std::optional<unsigned> jobs) {
  const unsigned usual = std::max(1u, usable_cores() / std::max(1u, threads));
  return {.threads = threads, .jobs = jobs.value_or(usual), .memory = memory_budget()};
}

void run_in_parallel(const std::vector<MemoryNeed>& needs, const RunSettings& settings,
                     const std::function<void(std::size_t, const std::stop_token&)>& work) {
  if (settings.jobs == 1 || needs.size() < 2) {
    for (std::size_t point = 0; point < needs.size(); ++point) work(point, std::stop_token());
    return;
  }
  ParallelPoints(needs, settings, work).run();
}

}  // namespace lagnet
