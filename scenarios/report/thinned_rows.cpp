#include "scenarios/report/thinned_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace lagnet {

namespace {

/// The rows of the smallest and largest number of a column from `first` to before `end`; nothing where there is none.
void append_extremes(const std::vector<double>& column, std::size_t first, std::size_t end,
                     std::vector<std::size_t>& rows) {
  std::size_t low = end, high = end;
  for (std::size_t row = first; row < end; ++row) {
    if (std::isnan(column[row])) continue;
    if (low == end || column[row] < column[low]) low = row;
    if (high == end || column[row] > column[high]) high = row;
  }
  if (low == end) return;
  rows.push_back(low);
  rows.push_back(high);
}

void sort_and_merge(std::vector<std::size_t>& rows) {
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
}

/// What progress is measured by: decades of the relative error, else the objective; empty without either.
std::vector<double> progress_of(const ProgressTable& table) {
  const auto is_number = [](double y) { return std::isfinite(y); };
  if (const auto* errors = table.find("relative_error"); errors && std::ranges::any_of(*errors, is_number)) {
    std::vector<double> decades;
    for (const double error : *errors)
      decades.push_back(std::log10(std::max(error, std::numeric_limits<double>::min())));
    return decades;
  }
  const auto* objective = table.find("objective");
  return objective ? *objective : std::vector<double>();
}

/// Rows at which the progress is a step or more from that of the row that was kept before, but at most `at_most` rows.
std::vector<std::size_t> rows_of_steps(const std::vector<double>& progress, double step, std::size_t at_most) {
  std::vector<std::size_t> rows;
  double kept = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < progress.size() && rows.size() <= at_most; ++row)
    if (std::isfinite(progress[row]) && std::abs(progress[row] - kept) >= step) {
      rows.push_back(row);
      kept = progress[row];
    }
  return rows;
}

/// The same with the smallest step that gives at most `at_most` rows, found by halving.
std::vector<std::size_t> rows_of_progress(const std::vector<double>& progress, std::size_t at_most) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double y : progress)
    if (std::isfinite(y)) low = std::min(low, y), high = std::max(high, y);
  if (!(low < high) || at_most == 0) return {};
  constexpr int halvings = 30;
  double too_small = 0, enough = high - low;
  for (int k = 0; k < halvings; ++k) {
    const double step = (too_small + enough) / 2;
    (rows_of_steps(progress, step, at_most).size() <= at_most ? enough : too_small) = step;
  }
  return rows_of_steps(progress, enough, at_most);
}

std::vector<std::size_t> rows_of_spans(const ProgressTable& table, std::size_t spans) {
  const std::size_t count = table.rows();
  std::vector<std::size_t> rows;
  for (std::size_t span = 0; span < spans; ++span)
    for (const auto& column : table.values)
      append_extremes(column, span * count / spans, (span + 1) * count / spans, rows);
  return rows;
}

}  // namespace

std::vector<std::size_t> thinned_rows(const ProgressTable& table, std::size_t at_most) {
  const std::size_t count = table.rows();
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (count <= at_most) return rows;
  std::vector<std::size_t> steady = rows_of_progress(progress_of(table), at_most / 2);
  steady.insert(steady.end(), {std::size_t{0}, count - 1});
  // Two rows are the least that a span gives: its extremes.
  for (std::size_t spans = std::max<std::size_t>(at_most / 2, 1); rows.size() > at_most;) {
    rows = rows_of_spans(table, spans);
    rows.insert(rows.end(), steady.begin(), steady.end());
    sort_and_merge(rows);
    if (spans == 1) break;
    const std::size_t fitting = spans * at_most / (rows.size() + 1);
    spans = std::clamp<std::size_t>(fitting, 1, spans - 1);
  }
  return rows;
}

}  // namespace lagnet
