#include "scenarios/tune/tuning_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/level_rows.hpp"
#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

ProgressCurve read_curve(const std::filesystem::path& file) {
  const ProgressTable table = read_progress(file);
  const auto column = [&](std::string_view name) {
    const auto* values = table.find(name);
    return values ? *values : std::vector<double>();
  };
  const auto last = [&](std::string_view name) {
    const std::vector<double> values = column(name);
    return values.empty() || !std::isfinite(values.back()) ? std::nullopt : std::optional(values.back());
  };
  return {.rounds = column("round"),
          .seconds = column("simulated_s"),
          .bytes = column("bytes"),
          .losses = column("objective"),
          .relative_errors = column("relative_error"),
          .accuracies = column("test_accuracy"),
          .relative_error = last("relative_error"),
          .relative_loss = last("relative_loss")};
}

double seconds_per_round(const ProgressCurve& curve) {
  return curve.rounds.empty() || curve.rounds.back() == 0 ? no_number : curve.seconds.back() / curve.rounds.back();
}

double final_loss(const ProgressCurve& curve) {
  const std::ptrdiff_t count = std::min<std::ptrdiff_t>(5, std::ssize(curve.losses));
  return std::accumulate(curve.losses.end() - count, curve.losses.end(), 0.0) / static_cast<double>(count);
}

double best_accuracy(const ProgressCurve& curve) {
  double best = no_number;
  for (const double accuracy : curve.accuracies) best = std::fmax(best, accuracy);  // the other one if one is nan
  return best;
}

double volatility(const ProgressCurve& curve) {
  if (curve.losses.size() < 2) return no_number;
  std::vector<double> steps(curve.losses.size());
  std::adjacent_difference(curve.losses.begin(), curve.losses.end(), steps.begin());
  steps.erase(steps.begin());  // which is the first loss itself
  const auto n = static_cast<double>(steps.size());
  const double mean = std::accumulate(steps.begin(), steps.end(), 0.0) / n;
  double squares = 0;
  for (const double step : steps) squares += (step - mean) * (step - mean);
  return std::sqrt(squares / n);
}

double rounds_to_descend(const ProgressCurve& curve) {
  if (curve.losses.empty()) return no_number;
  const double start = curve.losses.front(), least = *std::ranges::min_element(curve.losses);
  if (!(least < start)) return no_number;
  for (std::size_t i = 1; i < curve.losses.size(); ++i)
    if (start - curve.losses[i] >= 0.9 * (start - least)) return curve.rounds[i];
  return no_number;
}

double cost_of_level(const ProgressCurve& curve, TuningCost cost, double level) {
  const auto row = level_rows(curve.relative_errors, level).there;
  if (!row) return std::numeric_limits<double>::infinity();
  if (cost == TuningCost::round) return curve.rounds[*row];
  return cost == TuningCost::bytes ? curve.bytes[*row] : curve.seconds[*row];
}

double median(std::vector<double> values) {
  if (values.empty()) return no_number;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string why_not_chosen(const std::filesystem::path& folder, const ProgressCurve& curve) {
  if (error_of_point(folder)) return "error";
  const Json summary = parse_json(read_file(folder / "summary.json"));
  if (summary["status"] != "done") return summary["status"].get<std::string>();
  if (curve.rounds.empty() || curve.rounds.back() == 0) return "no complete round";
  if (!std::ranges::all_of(curve.losses, [](double loss) { return std::isfinite(loss); })) return "loss not finite";
  if (curve.losses.back() > curve.losses.front()) return "last loss above the first";
  return "";
}

}  // namespace lagnet
