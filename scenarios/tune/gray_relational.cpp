#include "scenarios/tune/gray_relational.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace lagnet {

namespace {

using MetricTable = std::vector<std::vector<double>>;

void check_table(const MetricTable& rows, const GrayOptions& options) {
  if (!(options.zeta > 0) || !std::isfinite(options.zeta))
    throw std::invalid_argument(fmt::format("zeta: expected a finite number above 0, found {}", options.zeta));
  for (const auto& row : rows)
    if (row.empty() || row.size() != rows.front().size())
      throw std::invalid_argument(fmt::format("rows: expected equally many metrics, at least 1, found {} and {}",
                                              rows.front().size(), row.size()));
  for (const std::size_t metric : options.maximized)
    if (rows.empty() || metric >= rows.front().size())
      throw std::invalid_argument(fmt::format("maximized: expected a metric of the rows, from 0, found {}", metric));
}

/// Nowhere worse, and somewhere better; small is good.
bool dominates(const std::vector<double>& a, const std::vector<double>& b) {
  return a != b && std::ranges::equal(a, b, std::less_equal<>());
}

// Numbers that differ by less, as a share of them, are equals.
constexpr double rounding_share = 1e-12;

/// 1 - z of each metric, column by column: 0 the best, 1 the worst.
void bring_to_unit_range(MetricTable& costs) {
  for (std::size_t j = 0; j < costs.front().size(); ++j) {
    const auto of_metric = [j](const std::vector<double>& row) { return row[j]; };
    const auto [low, high] = std::ranges::minmax(costs, {}, of_metric);
    const double best = low[j], worst = high[j], range = worst - best;
    const bool differs = range > rounding_share * std::max(std::abs(best), std::abs(worst));
    for (auto& row : costs) row[j] = differs ? (row[j] - best) / range : 0;
  }
}

/// Places of grades from the highest to the lowest. Rounding of the metrics must not decide between equals, so a run
/// of grades that are as good as its first is in the order of the places.
std::vector<std::size_t> ranks_of(const std::vector<double>& grades) {
  std::vector<std::size_t> places(grades.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::stable_sort(places, std::ranges::greater(), [&](std::size_t place) { return grades[place]; });
  for (auto first = places.begin(); first != places.end();) {
    const double least = grades[*first] * (1 - rounding_share);
    const auto end = std::find_if(first, places.end(), [&](std::size_t place) { return grades[place] < least; });
    std::sort(first, end);
    first = end;
  }
  return places;
}

}  // namespace

GrayGrades gray_relational(const MetricTable& rows, const GrayOptions& options) {
  check_table(rows, options);
  MetricTable costs = rows;
  for (auto& row : costs)
    for (const std::size_t metric : options.maximized) row[metric] = -row[metric];
  GrayGrades result;
  const auto is_finite = [](double x) { return std::isfinite(x); };
  std::vector<std::size_t> finite;
  for (std::size_t i = 0; i < costs.size(); ++i)
    if (std::ranges::all_of(costs[i], is_finite)) finite.push_back(i);
  if (finite.empty())
    throw std::invalid_argument(
        fmt::format("rows: expected at least one candidate with finite metrics, found none of {}", rows.size()));
  for (const std::size_t i : finite) {
    const auto beats_it = [&](std::size_t other) { return dominates(costs[other], costs[i]); };
    if (!options.pareto_front || std::ranges::none_of(finite, beats_it)) result.kept.push_back(i);
  }
  MetricTable d;
  for (const std::size_t i : result.kept) d.push_back(costs[i]);
  bring_to_unit_range(d);
  double d_min = d[0][0], d_max = d[0][0];
  for (const auto& row : d)
    for (const double x : row) {
      d_min = std::min(d_min, x);
      d_max = std::max(d_max, x);
    }
  for (const auto& row : d) {
    double sum = 0;
    for (const double x : row) sum += d_max > 0 ? (d_min + options.zeta * d_max) / (x + options.zeta * d_max) : 1;
    result.grades.push_back(sum / static_cast<double>(row.size()));
  }
  for (const std::size_t place : ranks_of(result.grades)) result.ranked.push_back(result.kept[place]);
  result.selected = result.ranked.front();
  return result;
}

}  // namespace lagnet
