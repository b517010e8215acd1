#include "scenarios/compare/tables/cost_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "scenarios/compare/tables/paired.hpp"
#include "scenarios/format/result_columns.hpp"

namespace lagnet {

namespace {

/// The costs of an accuracy, by the columns of progress.csv that count them.
const std::vector<TableColumn>& currencies() {
  static const std::vector<TableColumn> all = [] {
    std::vector<TableColumn> named{{"round", "rounds"},
                                   {"simulated_s", "simulated time"},
                                   "bytes",
                                   "messages",
                                   {"flops_per_agent_max", "flops per agent (largest)"},
                                   {"flops", "flops in total"},
                                   {"encrypting_s", "encryption time"},
                                   "price",
                                   {"joules", "energy (J)"},
                                   {"grams", "carbon dioxide (g)"}};
    for (TableColumn& one : named)
      if (unit_of_column(one.key) == "s") one.heading += " (s)";
    return named;
  }();
  return all;
}

/// The costs of a series' runs that get to a level.
std::vector<double> costs_of(const ComparedSeries& series, const std::string& column, double level) {
  std::vector<double> costs;
  for (const ComparedRun& run : series.runs)
    if (const auto cost = run.paid(column, level)) costs.push_back(*cost);
  return costs;
}

/// Over all runs of a series, of which some may never have got there: they are dearer than all others.
std::optional<double> median_cost(std::vector<double> costs, std::size_t runs) {
  costs.resize(runs, std::numeric_limits<double>::infinity());
  const double median = spread_of(costs).median;
  return std::isfinite(median) ? std::optional(median) : std::nullopt;
}

}  // namespace

std::string heading_of(const std::string& column) {
  const auto known = std::ranges::find(currencies(), column, &TableColumn::key);
  return known == currencies().end() ? column : known->heading;
}

TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  const std::string title = fmt::format("cost of reaching each level of {}{} for good: median of all runs",
                                        options.metric, options.rising ? " from below" : "");
  ResultTable shown{"accuracy", title}, tidy{"accuracy", title};
  shown.keys = 2;
  shown.columns = {"to", "series", {"reached_by", "reached by"}};
  std::vector<TableColumn> known;
  std::ranges::copy_if(currencies(), std::back_inserter(known),
                       [&](const TableColumn& one) { return have_column(measured, one.key); });
  shown.columns.insert(shown.columns.end(), known.begin(), known.end());
  tidy.columns = {
      "to",  "series", "currency", {"reached_by", "reached by"}, "runs", "median", {"mean_of_these", "mean of these"},
      "min", "max"};
  for (const double level : options.to) {
    std::vector<std::vector<ResultCell>> lines;
    bool is_reached = false;
    for (const ComparedSeries& series : measured) {
      const std::size_t runs = series.runs.size();
      std::vector<ResultCell> line{level, series.name, std::string()};
      for (const TableColumn& currency : known) {
        const std::vector<double> costs = costs_of(series, currency.key, level);
        const Spread spread = spread_of(costs);
        const auto of_these = [&](double value) { return costs.empty() ? std::nullopt : std::optional(value); };
        const std::optional<double> median = median_cost(costs, runs);
        line[2] = fmt::format("{} of {}", costs.size(), runs);
        line.push_back(median);
        is_reached = is_reached || !costs.empty();
        tidy.rows.push_back({level, series.name, currency.key, costs.size(), runs, median, of_these(spread.mean),
                             of_these(spread.min), of_these(spread.max)});
      }
      lines.push_back(std::move(line));
    }
    // Text tables leave out levels that no series reaches; the verdict names them.
    if (is_reached) std::ranges::move(lines, std::back_inserter(shown.rows));
  }
  return {std::move(shown), std::move(tidy)};
}

TablePair pareto_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  const std::string time = "simulated_s", bytes = "bytes";
  ResultTable table{
      "pareto", "time and bytes to reach each level for good, medians; on the front: no other series has less of both"};
  table.columns = {"to", "series", {time, heading_of(time)}, {bytes, heading_of(bytes)}, {"on_front", "on the front"}};
  for (const double level : options.to) {
    std::vector<CostPair> points;
    std::vector<std::string> names;
    for (const ComparedSeries& series : measured) {
      const auto seconds = median_cost(costs_of(series, time, level), series.runs.size());
      const auto sent = median_cost(costs_of(series, bytes, level), series.runs.size());
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
