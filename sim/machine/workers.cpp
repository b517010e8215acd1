#include "sim/machine/workers.hpp"

#include <utility>  // Boost.Asio 1.74 uses std::exchange without including it

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <latch>

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

struct Workers::Pool {
  explicit Pool(unsigned count) : threads(count) {}
  boost::asio::thread_pool threads;
};

Workers::Workers(unsigned threads)
    : threads_(threads), pool_(threads > 1 ? std::make_unique<Pool>(threads) : nullptr) {}

Workers::~Workers() {
  if (pool_) pool_->threads.join();
}

void Workers::start(Job& job) {
  job.error = nullptr;
  if (!pool_) return execute(job);
  job.done.store(false, std::memory_order_relaxed);
  boost::asio::post(pool_->threads, [&job] {
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
    boost::asio::post(pool_->threads, [&] {
      drain();
      finished.count_down();
    });
  drain();
  finished.wait();
}

}  // namespace lagnet
