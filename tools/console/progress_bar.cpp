#include "tools/console/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "tools/console/printing.hpp"

namespace lagnet::tools {

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressBar::start(std::size_t point, std::size_t points, std::string label, Round rounds) {
  const auto now = Clock::now();
  if (runs_.empty()) last_drawn_ = now;
  points_ = points;
  runs_[point] = {.label = std::move(label), .rounds = rounds, .began = now, .last_line = now, .row = {}};
}

void ProgressBar::update(std::size_t point, const Row& row) {
  if (quiet_) return;
  Run& run = runs_[point];
  run.row = row;
  const auto now = Clock::now();
  if (terminal_) {
    if (now - last_drawn_ < std::chrono::milliseconds(100)) return;
    last_drawn_ = now;
    print_err("\r\033[K{}", runs_.size() == 1 ? line_of(run) : line_of_all());
    drawn_ = true;
  } else if (now - run.last_line >= std::chrono::seconds(10)) {
    run.last_line = now;
    print_err("{}\n", line_of(run));
  }
}

std::string ProgressBar::line_of(const Run& run) const {
  const Row& row = run.row;
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - run.began).count();
  const double rate = static_cast<double>(row.round) / elapsed_s;
  std::string line = fmt::format("{}: round {}", run.label, row.round);
  if (run.rounds > 0) {
    constexpr int width = 24;
    const double share = static_cast<double>(row.round) / static_cast<double>(run.rounds);
    const int filled = static_cast<int>(share * width);
    line += fmt::format(" of {} [{}{}]", run.rounds, std::string(static_cast<std::size_t>(filled), '='),
                        std::string(static_cast<std::size_t>(width - filled), ' '));
    if (row.round > 0)  // until then nobody knows
      line += fmt::format(" {:.0f} s left", static_cast<double>(run.rounds - row.round) / rate);
    line += ',';
  }
  line += fmt::format(" {:.3g} rounds/s, simulated {:.4g} s", rate, row.at.in_seconds());
  if (row.relative_error) line += fmt::format(", relative error {:.2e}", *row.relative_error);
  return line;
}

std::string ProgressBar::line_of_all() const {
  constexpr std::size_t most_shown = 4;  // a line, not a page
  std::string line = fmt::format("{} of {} runs done, {} going on:", done_, points_, runs_.size());
  std::size_t shown = 0;
  for (const auto& [point, run] : runs_) {
    if (++shown > most_shown) return line + " ..";
    line += fmt::format(" {}: round {}", point + 1, run.row.round);
    if (run.rounds > 0) line += fmt::format(" of {}", run.rounds);
    if (shown < runs_.size()) line += ',';
  }
  return line;
}

void ProgressBar::finish(std::size_t point) {
  clear();
  runs_.erase(point);
  ++done_;
}

void ProgressBar::clear() {
  if (terminal_ && drawn_) print_err("\r\033[K");
  drawn_ = false;
}

}  // namespace lagnet::tools
