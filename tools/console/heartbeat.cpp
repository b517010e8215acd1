#include "tools/console/heartbeat.hpp"

#include <fmt/format.h>

#include <utility>

namespace lagnet::tools {

Heartbeat::Heartbeat(std::string command, bool quiet, Say say, std::chrono::milliseconds pause)
    : command_(std::move(command)), say_(std::move(say)) {
  if (!quiet) thread_ = std::thread([this, pause] { beat(pause); });
}

Heartbeat::~Heartbeat() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Heartbeat::step(std::string what) {
  const std::scoped_lock lock(mutex_);
  step_ = std::move(what);
}

void Heartbeat::beat(std::chrono::milliseconds pause) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  std::unique_lock lock(mutex_);
  for (;; pause *= 2) {
    if (ended_.wait_for(lock, pause, [this] { return is_over_; })) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
    if (!step_.empty()) say_(fmt::format("{}: after {:.0f} s at {}", command_, seconds, step_));
  }
}

}  // namespace lagnet::tools
