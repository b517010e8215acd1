#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>

namespace lagnet {

/// One kernel on its way through the thread pool. It must outlive its run.
struct Job {
  void (*run)(const void* context) = nullptr;
  const void* context = nullptr;
  std::exception_ptr error;
  std::atomic<bool> done{true};
};

/// The threads that run kernels, which take them from an io_context of Boost.Asio; with one thread none at all. Results
/// do not depend on which thread runs what: kernels touch their own agent's state only, and are waited for before it is
/// used.
class Workers {
 public:
  explicit Workers(unsigned threads);  // throws std::system_error if a thread cannot be started
  ~Workers();

  void start(Job& job);   // with one thread, runs it at once
  void finish(Job& job);  // returns when it has run
  /// body(0) .. body(count-1), in any order and on any thread; returns when all have run. They must not throw.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);
  unsigned threads() const { return threads_; }

 private:
  struct Pool;
  unsigned threads_;
  std::unique_ptr<Pool> pool_;
};

}  // namespace lagnet
