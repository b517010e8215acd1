#include "tools/console/progress_bar.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

#include "scenarios/words/layout.hpp"
#include "scenarios/words/words.hpp"
#include "tools/console/printing.hpp"
#include "tools/console/terminal.hpp"

namespace lagnet::tools {

namespace {

/// A line of at most `columns` columns: the head, a bar if it fits, and as many facts as fit.
std::string fitted(std::string_view head, const std::vector<std::string>& facts, double share, std::size_t columns) {
  std::string line = cut(head, columns), rest;
  std::size_t used = columns_of(line);
  for (const std::string& fact : facts) {
    const std::size_t more = columns_of(fact) + 2;
    if (used + more > columns) break;
    rest += ", " + fact;
    used += more;
  }
  constexpr std::size_t least = 8, most = 24, frame = 3;  // a blank and two brackets
  if (share > 0 && columns >= used + least + frame) {
    const std::size_t width = std::min(most, columns - used - frame);
    const auto filled = static_cast<std::size_t>(std::min(1.0, share) * static_cast<double>(width));
    line += fmt::format(" [{}{}]", std::string(filled, '='), std::string(width - filled, ' '));
  }
  return line + rest;
}

}  // namespace

ProgressBar::ProgressBar(bool quiet) : quiet_(quiet), terminal_(is_terminal(STDERR_FILENO)) {}

void ProgressBar::start(std::size_t point, std::size_t points, std::string label, Round rounds) {
  const auto now = Clock::now();
  if (runs_.empty()) last_drawn_ = now;
  if (done_ == skipped_ && runs_.empty()) began_ = now;
  points_ = points;
  runs_[point] = {.label = std::move(label), .rounds = rounds, .began = now, .last_line = now, .row = {}};
}

void ProgressBar::update(std::size_t point, const Row& row) {
  if (quiet_) return;
  Run& run = runs_[point];
  run.row = row;
  const auto now = Clock::now();
  if (terminal_) {
    if (now - last_drawn_ >= std::chrono::milliseconds(100)) draw(run, now);
  } else if (now - run.last_line >= std::chrono::seconds(10)) {
    run.last_line = now;
    print_err("{}\n", line_of(run, std::numeric_limits<std::size_t>::max()));
  }
}

void ProgressBar::draw(const Run& run, Clock::time_point now) {
  last_drawn_ = now;
  const std::size_t columns = line_columns(STDERR_FILENO);
  print_err("\r\033[K{}", points_ == 1 ? line_of(run, columns) : line_of_all(columns));
  drawn_ = true;
}

void ProgressBar::show() {
  if (!quiet_ && terminal_ && points_ > 1 && done_ < points_) draw({}, Clock::now());
}

std::string ProgressBar::line_of(const Run& run, std::size_t columns) const {
  const Row& row = run.row;
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - run.began).count();
  const double rate = static_cast<double>(row.round) / elapsed_s;
  const bool is_bounded = run.rounds > 0;
  const std::string head =
      fmt::format("{}: round {}{}", run.label, row.round, is_bounded ? fmt::format(" of {}", run.rounds) : "");
  std::vector<std::string> facts;   // what is wanted most comes first
  if (is_bounded && row.round > 0)  // until then nobody knows
    facts.push_back(duration_text(static_cast<double>(run.rounds - row.round) / rate) + " left");
  if (row.relative_error) facts.push_back(fmt::format("relative error {:.2e}", *row.relative_error));
  facts.push_back(fmt::format("simulated {:.4g} s", row.at.in_seconds()));
  facts.push_back(fmt::format("{:.3g} rounds/s", rate));
  const double share = is_bounded ? static_cast<double>(row.round) / static_cast<double>(run.rounds) : 0;
  return fitted(head, facts, share, columns);
}

std::string ProgressBar::line_of_all(std::size_t columns) const {
  const std::string head = fmt::format("{} of {} runs done", done_, points_);
  std::vector<std::string> facts;
  const double elapsed_s = std::chrono::duration<double>(Clock::now() - began_).count();
  double under_way = 0;  // in whole runs
  for (const auto& [point, run] : runs_)
    if (run.rounds > 0) under_way += static_cast<double>(run.row.round) / static_cast<double>(run.rounds);
  const double finished = static_cast<double>(done_) + under_way, now = finished - static_cast<double>(skipped_);
  if (now > 0) facts.push_back(duration_text((static_cast<double>(points_) - finished) * elapsed_s / now) + " left");
  if (best_) facts.push_back(fmt::format("best {:.2e} (run {})", best_->first, best_->second + 1));
  for (const auto& [point, run] : runs_)
    facts.push_back(fmt::format("{}: round {}{}", point + 1, run.row.round,
                                run.rounds > 0 ? fmt::format(" of {}", run.rounds) : ""));
  return fitted(head, facts, points_ > 0 ? finished / static_cast<double>(points_) : 0, columns);
}

void ProgressBar::finish(std::size_t point) {
  clear();
  if (const auto run = runs_.find(point); run != runs_.end()) keep_best(run->second.row.relative_error, point);
  runs_.erase(point);
  ++done_;
}

void ProgressBar::skip(std::size_t point, const std::optional<double>& relative_error) {
  keep_best(relative_error, point);
  ++skipped_;
  ++done_;
}

void ProgressBar::keep_best(const std::optional<double>& relative_error, std::size_t point) {
  if (relative_error && (!best_ || std::pair(*relative_error, point) < *best_)) best_ = {*relative_error, point};
}

void ProgressBar::clear() {
  if (terminal_ && drawn_) print_err("\r\033[K");
  drawn_ = false;
}

}  // namespace lagnet::tools
