#include "scenarios/results/level_rows.hpp"

#include <vector>

namespace lagnet {

namespace {

template <typename IsEmpty>
LevelRows found_rows(std::span<const double> values, double level, bool rising, IsEmpty is_empty) {
  LevelRows rows;
  std::optional<std::size_t> last_short;
  for (std::size_t row = 0; row < values.size(); ++row) {
    if (is_empty(row)) continue;
    if (rising ? values[row] >= level : values[row] <= level) {
      if (!rows.touched) rows.touched = row;
      if (!rows.there) rows.there = row;
    } else {
      last_short = row;
      rows.there.reset();
    }
  }
  if (rows.there) rows.before = last_short;
  return rows;
}

}  // namespace

LevelRows level_rows(std::span<const double> values, double level, bool rising) {
  return found_rows(values, level, rising, [](std::size_t) { return false; });
}

LevelRows level_rows(const RecordedRun& run, std::string_view column, double level, bool rising) {
  const std::vector<double>& values = recorded_column(run, column);
  const std::vector<bool>& empty = run.progress.empty[static_cast<std::size_t>(&values - run.progress.values.data())];
  return found_rows(values, level, rising, [&](std::size_t row) { return empty[row]; });
}

}  // namespace lagnet
