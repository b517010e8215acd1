#include "scenarios/report/thinned_rows.hpp"

#include <algorithm>
#include <cmath>
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

std::vector<std::size_t> rows_of_spans(const ProgressTable& table, std::size_t spans) {
  const std::size_t count = table.rows();
  std::vector<std::size_t> rows{0, count - 1};
  for (std::size_t span = 0; span < spans; ++span)
    for (const auto& column : table.values)
      append_extremes(column, span * count / spans, (span + 1) * count / spans, rows);
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

}  // namespace

std::vector<std::size_t> thinned_rows(const ProgressTable& table, std::size_t at_most) {
  const std::size_t count = table.rows();
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  // Two rows are the least that a span gives: its extremes.
  for (std::size_t spans = std::max<std::size_t>(at_most / 2, 1); rows.size() > at_most;) {
    rows = rows_of_spans(table, spans);
    if (spans == 1) break;
    const std::size_t fitting = spans * at_most / (rows.size() + 1);
    spans = std::clamp<std::size_t>(fitting, 1, spans - 1);
  }
  return rows;
}

}  // namespace lagnet
