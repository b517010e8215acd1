#include "sim/machine/workers.hpp"

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <latch>
#include <thread>
#include <vector>

namespace lagnet {

namespace {
void execute(Job& job) {
  try {
    job.run(job.context);
  } catch (...) {
    job.error = std::current_exception();
  }
}
}  // namespace

/// boost::asio::thread_pool waits for ever where one of its threads cannot be started.
struct Workers::Pool {
  explicit Pool(unsigned count) {
    try {
      for (unsigned k = 0; k < count; ++k) threads.emplace_back([this] { jobs.run(); });
    } catch (...) {
      jobs.stop();
      throw;
    }
  }
  ~Pool() { open.reset(); }

  boost::asio::io_context jobs;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> open{jobs.get_executor()};
  std::vector<std::jthread> threads;  // the last member, so that they end before what they use
};

Workers::Workers(unsigned threads)
    : threads_(threads), pool_(threads > 1 ? std::make_unique<Pool>(threads) : nullptr) {}

Workers::~Workers() = default;

void Workers::start(Job& job) {
  job.error = nullptr;
  if (!pool_) return execute(job);
  job.done.store(false, std::memory_order_relaxed);
  boost::asio::post(pool_->jobs, [&job] {
    execute(job);
    job.done.store(true, std::memory_order_release);
    job.done.notify_one();
  });
}

void Workers::finish(Job& job) {
  if (pool_) job.done.wait(false, std::memory_order_acquire);
}

void Workers::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  if (!pool_ || count < 2) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  const auto drain = [&] {
    for (std::size_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < count;) body(i);
  };
  const auto helpers = static_cast<std::ptrdiff_t>(std::min<std::size_t>(threads_ - 1, count - 1));
  std::latch finished(helpers);
  for (std::ptrdiff_t h = 0; h < helpers; ++h)
    boost::asio::post(pool_->jobs, [&] {
      drain();
      finished.count_down();
    });
  drain();
  finished.wait();
}

}  // namespace lagnet
