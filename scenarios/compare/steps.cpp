#include "scenarios/compare/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "scenarios/compare/measures.hpp"
#include "scenarios/files/result_folder.hpp"

namespace lagnet {

LargestStep largest_step(const RecordedRun& run, const std::string& metric, Direction direction,
                         std::int64_t from_round) {
  LargestStep largest;
  bool has_step = false;
  const std::vector<double> values = recorded_series(run, metric);
  const auto& rounds = recorded_column(run, "round");
  for (std::size_t row = 1; row < values.size(); ++row) {
    if (rounds[row - 1] < static_cast<double>(from_round)) continue;
    has_step = true;
    const double step = values[row] - values[row - 1];
    if (step == 0) continue;  // also at 0
    const double share = (direction == Direction::rising ? step : -step) / std::abs(values[row - 1]);
    if (share > largest.share || std::isnan(share))
      largest = {share, fmt::format(", {} in round {:.0f}", run.label, rounds[row])};
  }
  if (!has_step)
    throw OutputError(fmt::format(
        "{}: expected two rows or more from round {} on, found {}", run.folder.string(), from_round,
        std::ranges::count_if(rounds, [&](double round) { return round >= static_cast<double>(from_round); })));
  return largest;
}

}  // namespace lagnet
