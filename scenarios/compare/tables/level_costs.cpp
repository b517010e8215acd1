#include "scenarios/compare/tables/level_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenarios/format/result_columns.hpp"

namespace lagnet {

const std::vector<Currency>& currencies() {
  static const std::vector<Currency> all = [] {
    std::vector<Currency> named{{"round", "rounds"},
                                {"simulated_s", "simulated time"},
                                {"bytes", "bytes"},
                                {"messages", "messages"},
                                {"flops_per_agent_max", "flops per agent (largest)"},
                                {"flops", "flops in total"},
                                {"encrypting_s", "encryption time"}};
    for (Currency& one : named)
      if (unit_of_column(one.column) == "s") one.heading += " (s)";
    return named;
  }();
  return all;
}

std::string heading_of(const std::string& column) {
  const auto known = std::ranges::find(currencies(), column, &Currency::column);
  return known == currencies().end() ? column : known->heading;
}

std::optional<double> cost_of(const RecordedRun& run, const std::string& column, double level,
                              const CompareOptions& options) {
  const std::vector<double>&metric = recorded_column(run, options.metric), &cost = recorded_column(run, column);
  const auto there = [&](double y) { return options.rising ? y >= level : y <= level; };
  const auto first = std::ranges::find_if(metric, there);
  if (first == metric.end()) return std::nullopt;
  return cost[static_cast<std::size_t>(first - metric.begin())];
}

std::vector<double> costs_of(const Series& series, const std::string& column, double level,
                             const CompareOptions& options) {
  std::vector<double> costs;
  for (const RecordedRun* run : series.runs)
    if (const auto cost = cost_of(*run, column, level, options)) costs.push_back(*cost);
  return costs;
}

std::optional<double> median_cost(std::vector<double> costs, std::size_t runs) {
  costs.resize(runs, std::numeric_limits<double>::infinity());
  const double median = spread_of(costs).median;
  return std::isfinite(median) ? std::optional(median) : std::nullopt;
}

}  // namespace lagnet
