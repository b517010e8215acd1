#include "scenarios/compare/tables/curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

/// The last point at or before x, for x within the curve.
std::optional<std::size_t> point_before(const Curve& curve, double x) {
  if (curve.x.empty() || x < curve.x.front() || x > curve.x.back()) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::upper_bound(curve.x, x) - curve.x.begin()) - 1;
}

/// Why a run has none of a metric, as its summary says; "" if it does not.
std::string why_empty(const RecordedRun& run) {
  const Document summary(run.summary);
  const std::string why = summary.text("/why_empty", summary.text("/optimum/why"));
  return why.empty() ? "" : ": " + why;
}

}  // namespace

Curve recorded_curve(const RecordedRun& run, std::string_view axis, std::string_view metric) {
  const std::vector<double>&x = recorded_column(run, axis), &y = recorded_column(run, metric);
  const std::string file = (run.folder / "progress.csv").string();
  Curve curve;
  const std::string ended_by = Document(run.summary).text("/stop/reason");
  curve.reached_goal = ended_by == "relative_error" || ended_by == "metric";
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isnan(x[k]))
      throw OutputError(
          fmt::format("{}: expected a number in every row of {}, found none in row {}", file, axis, k + 1));
    if (k > 0 && x[k] < x[k - 1])
      throw OutputError(
          fmt::format("{}: expected an axis that never falls, found {} with {} after {}", file, axis, x[k], x[k - 1]));
    if (std::isnan(y[k])) continue;
    if (curve.x.empty() || x[k] > curve.x.back()) {
      curve.x.push_back(x[k]);
      curve.y.push_back(y[k]);
    } else {
      curve.y.back() = y[k];
    }
  }
  if (curve.x.empty())
    throw OutputError(fmt::format("{}: expected a row with {}, found none{}", file, metric, why_empty(run)));
  return curve;
}

std::optional<double> carried_forward(const Curve& curve, double x) {
  const auto k = point_before(curve, x);
  return k ? std::optional(curve.y[*k]) : std::nullopt;
}

std::optional<std::vector<double>> values_of_all(const std::vector<Curve>& curves, double x) {
  const auto goes_on = [x](const Curve& curve) { return !curve.x.empty() && x <= curve.x.back(); };
  if (std::ranges::none_of(curves, goes_on)) return std::nullopt;
  std::vector<double> values;
  for (const Curve& curve : curves) {
    const bool is_done = curve.reached_goal && !curve.x.empty() && x > curve.x.back();
    const std::optional<double> y = is_done ? std::optional(curve.y.back()) : carried_forward(curve, x);
    if (!y) return std::nullopt;
    values.push_back(*y);
  }
  return values;
}

std::optional<double> interpolated(const Curve& curve, double x) {
  const auto k = point_before(curve, x);
  if (!k) return std::nullopt;
  if (curve.x[*k] == x) return curve.y[*k];
  const double share = (x - curve.x[*k]) / (curve.x[*k + 1] - curve.x[*k]);
  return curve.y[*k] + share * (curve.y[*k + 1] - curve.y[*k]);
}

std::vector<double> union_of_x(const std::vector<Curve>& curves) {
  std::set<double> values;
  for (const Curve& curve : curves) values.insert(curve.x.begin(), curve.x.end());
  return {values.begin(), values.end()};
}

std::vector<double> spread_out(const std::vector<double>& values, std::size_t points) {
  if (points == 0 || values.size() <= points) return values;
  std::set<double> chosen;
  for (std::size_t k = 0; k < points; ++k) {
    const double share = points == 1 ? 1 : static_cast<double>(k) / static_cast<double>(points - 1);
    const double target = k + 1 == points ? values.back() : values.front() + share * (values.back() - values.front());
    chosen.insert(*std::prev(std::ranges::upper_bound(values, target)));
  }
  return {chosen.begin(), chosen.end()};
}

double quantile(const std::vector<double>& ascending, double p) {
  const double at = static_cast<double>(ascending.size() - 1) * p;
  const auto below = static_cast<std::size_t>(at);
  const double share = at - static_cast<double>(below);
  // A neighbor may be infinite.
  if (share == 0 || ascending[below] == ascending[below + 1]) return ascending[below];
  return ascending[below] + share * (ascending[below + 1] - ascending[below]);
}

Spread spread_of(std::vector<double> values) {
  if (values.empty()) return {};
  double sum = 0;
  for (const double value : values) sum += value;
  std::ranges::sort(values);
  return {.count = values.size(),
          .mean = sum / static_cast<double>(values.size()),
          .median = quantile(values, 0.5),
          .min = values.front(),
          .max = values.back()};
}

Curve mean_curve(const std::vector<Curve>& curves, const std::vector<double>& at) {
  Curve mean;
  for (const double x : at) {
    double sum = 0;
    std::size_t reached = 0;
    for (const Curve& curve : curves)
      if (const auto y = interpolated(curve, x)) {
        sum += *y;
        ++reached;
      }
    if (reached < curves.size()) continue;
    mean.x.push_back(x);
    mean.y.push_back(sum / static_cast<double>(curves.size()));
  }
  return mean;
}

std::vector<Crossing> crossings(const Curve& first, const Curve& second) {
  std::vector<Crossing> found;
  std::optional<std::size_t> last;  // the last point where they differed
  double last_difference = 0;
  for (std::size_t k = 0; k < first.x.size(); ++k) {
    const double difference = first.y[k] - second.y[k];
    if (!std::isfinite(difference)) last.reset();
    if (difference == 0 || !std::isfinite(difference)) continue;
    if (last && (difference > 0) != (last_difference > 0)) {
      Crossing crossing{.first_is_lower_after = difference < 0};
      if (const std::size_t next = *last + 1; next < k) {
        crossing.x = first.x[next];
        crossing.y = first.y[next];
      } else {
        const double share = last_difference / (last_difference - difference);
        crossing.x = first.x[*last] + share * (first.x[k] - first.x[*last]);
        crossing.y = first.y[*last] + share * (first.y[k] - first.y[*last]);
      }
      found.push_back(crossing);
    }
    last = k;
    last_difference = difference;
  }
  return found;
}

}  // namespace lagnet
