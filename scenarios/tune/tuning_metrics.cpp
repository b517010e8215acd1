#include "scenarios/tune/tuning_metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/level_rows.hpp"

namespace lagnet {

namespace {

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// Empty if there is no such column.
const std::vector<double>& column(const ProgressTable& table, std::string_view name) {
  static const std::vector<double> none;
  const auto* values = table.find(name);
  return values ? *values : none;
}

}  // namespace

double seconds_per_round(const ProgressTable& table) {
  const auto &rounds = column(table, "round"), &seconds = column(table, "simulated_s");
  return rounds.empty() || rounds.back() == 0 ? no_number : seconds.back() / rounds.back();
}

double final_loss(const ProgressTable& table) {
  const auto& losses = column(table, "objective");
  const std::ptrdiff_t count = std::min<std::ptrdiff_t>(5, std::ssize(losses));
  return std::accumulate(losses.end() - count, losses.end(), 0.0) / static_cast<double>(count);
}

double best_accuracy(const ProgressTable& table) {
  double best = no_number;
  for (const double accuracy : column(table, "test_accuracy"))
    best = std::fmax(best, accuracy);  // the other if one is nan
  return best;
}

double volatility(const ProgressTable& table) {
  const auto& losses = column(table, "objective");
  if (losses.size() < 2) return no_number;
  std::vector<double> steps(losses.size());
  std::adjacent_difference(losses.begin(), losses.end(), steps.begin());
  steps.erase(steps.begin());  // which is the first loss itself
  const auto n = static_cast<double>(steps.size());
  const double mean = std::accumulate(steps.begin(), steps.end(), 0.0) / n;
  double squares = 0;
  for (const double step : steps) squares += (step - mean) * (step - mean);
  return std::sqrt(squares / n);
}

double rounds_to_descend(const ProgressTable& table) {
  const auto& losses = column(table, "objective");
  if (losses.empty()) return no_number;
  const double start = losses.front(), least = *std::ranges::min_element(losses);
  if (!(least < start)) return no_number;
  for (std::size_t i = 1; i < losses.size(); ++i)
    if (start - losses[i] >= 0.9 * (start - least)) return column(table, "round")[i];
  return no_number;
}

double cost_of_level(const ProgressTable& table, TuningCost cost, double level) {
  const auto row = level_rows(column(table, "relative_error"), level).there;
  return row ? column(table, spelled(cost))[*row] : std::numeric_limits<double>::infinity();
}

std::optional<double> last_number(const ProgressTable& table, std::string_view name) {
  const auto& values = column(table, name);
  return values.empty() || !std::isfinite(values.back()) ? std::nullopt : std::optional(values.back());
}

double median(std::vector<double> values) {
  if (values.empty()) return no_number;
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::string why_not_chosen(const std::filesystem::path& folder, const ProgressTable& table) {
  if (error_of_point(folder)) return "error";
  const Json summary = parse_json(read_file(folder / "summary.json"));
  if (summary["status"] != "done") return summary["status"].get<std::string>();
  const auto &rounds = column(table, "round"), &losses = column(table, "objective");
  if (rounds.empty() || rounds.back() == 0) return "no complete round";
  if (!std::ranges::all_of(losses, [](double loss) { return std::isfinite(loss); })) return "loss not finite";
  if (losses.back() > losses.front()) return "last loss above the first";
  return "";
}

}  // namespace lagnet
