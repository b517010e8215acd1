#include "scenarios/compare/tables/cost_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "scenarios/compare/tables/paired.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/results/level_rows.hpp"

namespace lagnet {

namespace {

/// What an accuracy costs, by the columns of progress.csv that count it.
const std::vector<TableColumn>& currencies() {
  static const std::vector<TableColumn> all = [] {
    std::vector<TableColumn> named{{"round", "rounds"},
                                   {"simulated_s", "simulated time"},
                                   "bytes",
                                   "messages",
                                   {"flops_per_agent_max", "flops per agent (largest)"},
                                   {"flops", "flops in total"},
                                   {"encrypting_s", "encryption time"}};
    for (TableColumn& one : named)
      if (unit_of_column(one.key) == "s") one.heading += " (s)";
    return named;
  }();
  return all;
}

/// The costs of a series' runs that get to a level.
std::vector<double> costs_of(const Series& series, const std::string& column, double level,
                             const CompareOptions& options) {
  std::vector<double> costs;
  for (const RecordedRun* run : series.runs)
    if (const auto cost = cost_of(*run, column, level, options)) costs.push_back(*cost);
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

namespace {

/// Whether a run has a row for each round, between two of its rows: then nothing happened between them.
bool are_consecutive(const RecordedRun& run, std::size_t first, std::size_t second) {
  const auto is_set = [&](const char* key) {
    const Json::json_pointer at(key);
    return run.scenario.contains(at) && !run.scenario[at].is_null();
  };
  const std::vector<double>& rounds = recorded_column(run, "round");
  return rounds[second] == rounds[first] + 1 && !is_set("/record/every_s") && !is_set("/record/every_updates");
}

}  // namespace

CostOfRun cost_of_run(const RecordedRun& run, const std::string& column, double level, const CompareOptions& options) {
  const std::vector<double>& cost = recorded_column(run, column);
  const LevelRows rows = level_rows(run, options.metric, level, options.rising);
  CostOfRun found;
  if (rows.touched) found.touched = cost[*rows.touched];
  if (rows.there) {
    found.there = cost[*rows.there];
    const bool is_exact = !rows.before || are_consecutive(run, *rows.before, *rows.there);
    found.before = cost[is_exact ? *rows.there : *rows.before];
  }
  return found;
}

std::optional<double> cost_of(const RecordedRun& run, const std::string& column, double level,
                              const CompareOptions& options) {
  const double cost = cost_of_run(run, column, level, options).there;
  return std::isfinite(cost) ? std::optional(cost) : std::nullopt;
}

bool ended_on_arrival(const RecordedRun& run, double level, const CompareOptions& options) {
  const LevelRows rows = level_rows(run, options.metric, level, options.rising);
  return rows.before && *rows.there + 1 == run.progress.rows();
}

TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options) {
  const std::string title = fmt::format("cost of reaching each level of {}{} for good: median of all runs",
                                        options.metric, options.rising ? " from below" : "");
  ResultTable shown{"accuracy", title}, tidy{"accuracy", title};
  shown.keys = 2;
  shown.columns = {"to", "series", {"reached_by", "reached by"}};
  shown.columns.insert(shown.columns.end(), currencies().begin(), currencies().end());
  tidy.columns = {
      "to",  "series", "currency", {"reached_by", "reached by"}, "runs", "median", {"mean_of_these", "mean of these"},
      "min", "max"};
  for (const double level : options.to) {
    std::vector<std::vector<ResultCell>> lines;
    bool is_reached = false;
    for (const auto& [series, curves] : measured) {
      const std::size_t runs = series.runs.size();
      std::vector<ResultCell> line{level, series.name, std::string()};
      for (const TableColumn& currency : currencies()) {
        const std::vector<double> costs = costs_of(series, currency.key, level, options);
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
    // Rows of a level that nobody reaches say nothing to people; the verdict names it.
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
