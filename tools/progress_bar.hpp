#pragma once

#include <chrono>
#include <string>

#include "scenarios/run.hpp"

namespace lagnet::tools {

/// Shows on stderr how far a run is: on a terminal a line that is drawn anew, with rate and time left; elsewhere a
/// plain line now and then.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  void start(std::string label);
  void update(const Progress& progress);
  void finish();  // takes the line away

 private:
  using Clock = std::chrono::steady_clock;
  void draw(const Progress& progress, double elapsed_s);

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  std::string label_;
  Clock::time_point began_, last_;
};

}  // namespace lagnet::tools
