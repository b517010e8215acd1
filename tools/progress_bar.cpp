#include "tools/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace lagnet::tools {

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressBar::start(std::string label) {
  label_ = std::move(label);
  began_ = last_ = Clock::now();
}

void ProgressBar::update(const Progress& progress) {
  if (quiet_) return;
  const auto now = Clock::now();
  const std::chrono::duration<double> pause(terminal_ ? 0.1 : 10);
  if (now - last_ < pause) return;
  last_ = now;
  draw(progress, std::chrono::duration<double>(now - began_).count());
}

void ProgressBar::draw(const Progress& progress, double elapsed_s) {
  const double rate = static_cast<double>(progress.round) / elapsed_s;
  std::string line = fmt::format("{}: round {}", label_, progress.round);
  if (progress.rounds > 0) {
    constexpr int width = 24;
    const double share = static_cast<double>(progress.round) / static_cast<double>(progress.rounds);
    const int filled = static_cast<int>(share * width);
    line +=
        fmt::format(" of {} [{}{}] {:.0f} s left,", progress.rounds, std::string(static_cast<std::size_t>(filled), '='),
                    std::string(static_cast<std::size_t>(width - filled), ' '),
                    static_cast<double>(progress.rounds - progress.round) / rate);
  }
  line += fmt::format(" {:.3g} rounds/s, simulated {:.4g} s", rate, progress.at.in_seconds());
  if (progress.relative_error) line += fmt::format(", relative error {:.2e}", *progress.relative_error);
  if (terminal_)
    fmt::print(stderr, "\r\033[K{}", line);
  else
    fmt::print(stderr, "{}\n", line);
  drawn_ = true;
}

void ProgressBar::finish() {
  if (terminal_ && drawn_) fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace lagnet::tools
