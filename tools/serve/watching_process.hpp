#pragma once

#include <string>

namespace lagnet::tools {

/// `lagnet serve` of a folder in a process of its own, for as long as this object lives and its pages want to see the
/// end: also where this process is killed. It shares nothing with the runs of this process, and Ctrl-C does not reach
/// it, so that pages can show how a run ended.
class WatchingProcess {
 public:
  /// Waits until it serves pages. Throws std::runtime_error with its message if it fails.
  explicit WatchingProcess(const std::string& folder);
  ~WatchingProcess();
  WatchingProcess(const WatchingProcess&) = delete;
  WatchingProcess& operator=(const WatchingProcess&) = delete;

  const std::string& url() const { return url_; }

 private:
  std::string url_;
  int input_ = -1;  // of that process, which ends with it
};

}  // namespace lagnet::tools
