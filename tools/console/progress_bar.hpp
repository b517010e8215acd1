#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/format/result_columns.hpp"

namespace lagnet::tools {

/// Shows the progress of runs on stderr. On a terminal: one line that is redrawn and fits, with the time left and the
/// least relative error so far for several runs. Elsewhere: a plain line for each run now and then.
class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  /// One of `points` points starts; `rounds` is its last round, 0 if unknown.
  void start(std::size_t point, std::size_t points, std::string label, Round rounds);
  void update(std::size_t point, const Row& row);
  void finish(std::size_t point);
  /// The point was finished before, with this last relative error.
  void skip(std::size_t point, const std::optional<double>& relative_error);
  /// Shows the line of a sweep at once, after something else was printed.
  void show();
  void clear();  // takes the line away until the next update

 private:
  using Clock = std::chrono::steady_clock;
  struct Run {
    std::string label;
    Round rounds = 0;
    Clock::time_point began, last_line;
    Row row;  // the last one
  };
  void draw(const Run& run, Clock::time_point now);
  std::string line_of(const Run& run, std::size_t columns) const;
  std::string line_of_all(std::size_t columns) const;
  void keep_best(const std::optional<double>& relative_error, std::size_t point);

  bool quiet_;
  bool terminal_;
  bool drawn_ = false;
  Clock::time_point last_drawn_, began_;
  std::optional<std::pair<double, std::size_t>> best_;  // the least last relative error, and its point
  std::size_t points_ = 0, done_ = 0, skipped_ = 0;     // the skipped ones are done, too
  std::map<std::size_t, Run> runs_;                     // that go on, by point
};

}  // namespace lagnet::tools
