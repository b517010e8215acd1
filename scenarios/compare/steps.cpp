#include "scenarios/compare/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

/// The largest step of a column from one recorded row to the next in a direction, as a share of the number before; 0 if
/// there is none. `where`: ", ring in round 20".
struct LargestStep {
  double share = 0;
  std::string where;
};

/// Rows before `from_round` are ignored. Throws OutputError where fewer than two are left.
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

}  // namespace

Finding has_trend(const TrendClaim& claim, const Evidence& evidence) {
  if (evidence.runs.empty()) throw OutputError("expected runs to follow, found none");
  const Direction wrong = claim.direction == Direction::falling ? Direction::rising : Direction::falling;
  LargestStep worst;
  for (const RecordedRun* run : evidence.runs) {
    const LargestStep step = largest_step(*run, evidence.measure.metric, wrong, claim.from_round);
    if (step.share > worst.share || std::isnan(step.share)) worst = step;
  }
  return {.holds = worst.share <= claim.tolerance,
          .measured = fmt::format("largest step the other way {:.3g} %{}", 100 * worst.share, worst.where),
          .tolerance = shown_tolerance(claim.tolerance),
          .deciding = worst.share,
          .called = "largest step the other way",
          .is_share = true,
          .slack = claim.tolerance - worst.share};
}

Finding has_jump(const JumpClaim& claim, const Evidence& evidence) {
  if (evidence.runs.empty()) throw OutputError("expected runs to follow, found none");
  LargestStep least{.share = std::numeric_limits<double>::infinity()};
  for (const RecordedRun* run : evidence.runs) {
    const LargestStep step = largest_step(*run, evidence.measure.metric, claim.direction, claim.from_round);
    if (!(step.share >= least.share)) least = step;
  }
  return {.holds = least.share >= claim.at_least,
          .measured = fmt::format("largest step of the steadiest run {:.3g} %{}", 100 * least.share, least.where),
          .tolerance = fmt::format("at least {:.3g} %", 100 * claim.at_least),
          .deciding = least.share,
          .called = "largest step of the steadiest run",
          .is_share = true,
          .slack = least.share / claim.at_least - 1};
}

}  // namespace lagnet
