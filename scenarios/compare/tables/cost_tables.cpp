#include "scenarios/compare/tables/cost_tables.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "scenarios/compare/tables/level_costs.hpp"

namespace lagnet {

TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  const std::string title =
      fmt::format("cost of {} at or {} a level, in the first row that is there: median of all runs", options.metric,
                  options.rising ? "above" : "below");
  ResultTable shown{"accuracy", title}, tidy{"accuracy", title};
  shown.columns = {{"to", "to"}, {"series", "series"}, {"reached_by", "reached by"}};
  for (const Currency& currency : currencies()) shown.columns.push_back({currency.column, currency.heading});
  tidy.columns = {
      {"to", "to"},     {"series", "series"}, {"currency", "currency"},           {"reached_by", "reached by"},
      {"runs", "runs"}, {"median", "median"}, {"mean_of_these", "mean of these"}, {"min", "min"},
      {"max", "max"}};
  for (const double level : options.to)
    for (const auto& [series, curves] : measured) {
      const std::size_t runs = series.runs.size();
      std::vector<ResultCell> line{level, series.name, std::string()};
      for (const Currency& currency : currencies()) {
        const std::vector<double> costs = costs_of(series, currency.column, level, options);
        const Spread spread = spread_of(costs);
        const auto of_these = [&](double value) { return costs.empty() ? std::nullopt : std::optional(value); };
        const std::optional<double> median = median_cost(costs, runs);
        line[2] = fmt::format("{} of {}", costs.size(), runs);
        line.push_back(median);
        tidy.rows.push_back({level, series.name, currency.column, costs.size(), runs, median,
                             of_these(spread.mean), of_these(spread.min), of_these(spread.max)});
      }
      shown.rows.push_back(std::move(line));
    }
  return {std::move(shown), std::move(tidy)};
}

TablePair pareto_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  const std::string time = "simulated_s", bytes = "bytes";
  ResultTable table{"pareto",
                    "cost of a level in time and bytes, medians: on the front are those that no other beats in both"};
  table.columns = {{"to", "to"},
                   {"series", "series"},
                   {time, heading_of(time)},
                   {bytes, heading_of(bytes)},
                   {"on_front", "on the front"}};
  for (const double level : options.to) {
    std::vector<CostPair> points;
    std::vector<std::string> names;
    for (const auto& [series, curves] : measured) {
      const auto seconds = median_cost(costs_of(series, time, level, options), series.runs.size());
      const auto sent = median_cost(costs_of(series, bytes, level, options), series.runs.size());
      if (!seconds || !sent) continue;
      points.push_back({*seconds, *sent});
      names.push_back(series.name);
    }
    const std::vector<bool> on_front = on_pareto_front(points);
    for (std::size_t i = 0; i < points.size(); ++i)
      table.rows.push_back(
          {level, names[i], points[i].first, points[i].second, std::string(on_front[i] ? "yes" : "no")});
  }
  return same_for_both(std::move(table));
}

}  // namespace lagnet
