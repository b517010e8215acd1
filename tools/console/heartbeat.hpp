#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace lagnet::tools {

/// Prints the current step of a command if it takes long: after the first pause, and then after pauses that double. A
/// command with short steps prints nothing.
class Heartbeat {
 public:
  using Say = std::function<void(const std::string& line)>;
  /// Lines begin with the command's name and are given to `say`, from another thread; `quiet`: none.
  Heartbeat(std::string command, bool quiet, Say say, std::chrono::milliseconds pause = std::chrono::seconds(5));
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// The current step from now on: "server in tokyo, 3 of 10".
  void step(std::string what);

 private:
  void beat(std::chrono::milliseconds pause);

  std::string command_;
  Say say_;
  std::mutex mutex_;
  std::condition_variable ended_;
  bool is_over_ = false;
  std::string step_;
  std::thread thread_;  // last, since it reads the others
};

}  // namespace lagnet::tools
