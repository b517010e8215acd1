#include "scenarios/compare/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "scenarios/compare/curve.hpp"
#include "scenarios/compare/series.hpp"
#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

/// A series with what its runs recorded of the metric over the axis.
struct Measured {
  Series series;
  std::vector<Curve> curves;  // of its runs
};

/// Tables as programs and as people read them.
struct TablePair {
  ResultTable shown, tidy;
};
TablePair same_for_both(ResultTable table) { return {table, std::move(table)}; }

std::string heading_of(const std::string& column) {
  const auto known = std::ranges::find(currencies(), column, [](const Currency& c) { return std::string(c.column); });
  return known == currencies().end() ? column : known->heading;
}

/// What a column counts when the metric first gets to a level; nothing if it never does.
std::optional<double> cost_of(const RecordedRun& run, const std::string& column, double level,
                              const CompareOptions& options) {
  const std::vector<double>&metric = recorded_column(run, options.metric), &cost = recorded_column(run, column);
  const auto there = [&](double y) { return options.rising ? y >= level : y <= level; };
  const auto first = std::ranges::find_if(metric, there);
  if (first == metric.end()) return std::nullopt;
  return cost[static_cast<std::size_t>(first - metric.begin())];
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

/// Whether a run ended with something that is no number, which its curve leaves out.
bool ended_without_number(const RecordedRun& run, const std::string& metric) {
  const std::vector<double>& values = recorded_column(run, metric);
  return run.summary.value("status", "") == "diverged" && std::isnan(values.back());
}

TablePair series_table(const std::vector<Measured>& measured, const CompareOptions& options) {
  ResultTable table{"series",
                    fmt::format("series: runs that differ in their seeds alone; {} in the last row", options.metric)};
  const double worst = std::numeric_limits<double>::infinity() * (options.rising ? -1 : 1);
  bool any_without_number = false;
  table.columns = {{"series", "series"}, {"runs", "runs"}, {"seeds", "seeds"}, {"ended_by", "ended by"},
                   {"median", "median"}, {"min", "min"},   {"max", "max"}};
  for (const auto& [series, curves] : measured) {
    std::vector<std::string> seeds, reasons;
    std::map<std::string, int> endings;
    std::vector<double> last;
    for (std::size_t r = 0; r < curves.size(); ++r) {
      const RecordedRun& run = *series.runs[r];
      seeds.push_back(std::to_string(run.seed()));
      ++endings[run.summary.value(Json::json_pointer("/stop/reason"), std::string("?"))];
      const bool without_number = ended_without_number(run, options.metric);
      any_without_number = any_without_number || without_number;
      last.push_back(without_number ? worst : curves[r].y.back());
    }
    for (const auto& [reason, count] : endings)
      reasons.push_back(endings.size() == 1 ? reason : fmt::format("{} {}", reason, count));
    const Spread spread = spread_of(last);
    table.rows.push_back({series.name, curves.size(), boost::join(seeds, " "), boost::join(reasons, ", "),
                          spread.median, spread.min, spread.max});
  }
  if (any_without_number) table.title += fmt::format(", {} for runs that diverged to no number", worst);
  return same_for_both(std::move(table));
}

TablePair curves_table(const std::vector<Measured>& measured, const CompareOptions& options) {
  std::vector<Curve> all;
  for (const Measured& one : measured) all.insert(all.end(), one.curves.begin(), one.curves.end());
  const std::string title = fmt::format(
      "{} over {}: the last observation carried forward, never beyond a run's end; median of the runs that reach it",
      options.metric, heading_of(options.against));
  ResultTable shown{"curves", title}, tidy{"curves", title};
  shown.columns = {{options.against, heading_of(options.against)}};
  for (const Measured& one : measured) shown.columns.push_back({one.series.name, one.series.name});
  tidy.columns = {{options.against, heading_of(options.against)},
                  {"series", "series"},
                  {"reached_by", "reached by"},
                  {"runs", "runs"},
                  {"mean", "mean"},
                  {"median", "median"},
                  {"min", "min"},
                  {"max", "max"}};
  for (const double x : spread_out(union_of_x(all), options.points)) {
    std::vector<ResultCell> line{x};
    for (const auto& [series, curves] : measured) {
      std::vector<double> values;
      for (const Curve& curve : curves)
        if (const auto y = carried_forward(curve, x)) values.push_back(*y);
      const Spread spread = spread_of(values);
      line.push_back(values.empty() ? std::nullopt : std::optional(spread.median));
      if (!values.empty())
        tidy.rows.push_back(
            {x, series.name, values.size(), curves.size(), spread.mean, spread.median, spread.min, spread.max});
    }
    shown.rows.push_back(std::move(line));
  }
  return {std::move(shown), std::move(tidy)};
}

TablePair accuracy_table(const std::vector<Measured>& measured, const CompareOptions& options) {
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
        tidy.rows.push_back({level, series.name, std::string(currency.column), costs.size(), runs, median,
                             of_these(spread.mean), of_these(spread.min), of_these(spread.max)});
      }
      shown.rows.push_back(std::move(line));
    }
  return {std::move(shown), std::move(tidy)};
}

/// Values of a series and of the baseline under one seed each.
struct SeedPairs {
  std::vector<double> differences, ratios;  // ratios only of positive values
  void add(double value, double of_baseline) {
    if (!std::isfinite(value - of_baseline)) return;
    differences.push_back(value - of_baseline);
    if (value > 0 && of_baseline > 0) ratios.push_back(value / of_baseline);
  }
};

void append_intervals(std::vector<ResultCell>& line, const SeedPairs& pairs, const BootstrapOptions& options) {
  const MeanInterval difference = bootstrap_mean(pairs.differences, options);
  const bool all_positive = pairs.ratios.size() == pairs.differences.size();
  const MeanInterval ratio = all_positive ? bootstrap_ratio(pairs.ratios, options) : MeanInterval();
  line.push_back(difference.count);
  for (const MeanInterval& interval : {difference, ratio})
    for (const auto& number : {interval.mean, interval.low, interval.high}) line.push_back(number);
}

/// The runs of a series and of the baseline that have a seed in common, as places in each.
std::vector<std::pair<std::size_t, std::size_t>> common_seeds(const Series& series, const Series& baseline) {
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::size_t i = 0; i < series.runs.size(); ++i)
    if (const RecordedRun* other = baseline.find(series.runs[i]->seed()))
      places.emplace_back(i, std::ranges::find(baseline.runs, other) - baseline.runs.begin());
  return places;
}

/// The metric of both at the last value of the axis that all runs of common seeds reach; nothing where there is none.
std::pair<std::optional<double>, SeedPairs> pairs_at_common_end(const Measured& one, const Measured& baseline) {
  double end = std::numeric_limits<double>::infinity();
  const auto places = common_seeds(one.series, baseline.series);
  for (const auto& [i, j] : places) end = std::min({end, one.curves[i].x.back(), baseline.curves[j].x.back()});
  SeedPairs pairs;
  for (const auto& [i, j] : places) {
    const auto value = carried_forward(one.curves[i], end), of_baseline = carried_forward(baseline.curves[j], end);
    if (value && of_baseline) pairs.add(*value, *of_baseline);
  }
  return {places.empty() ? std::nullopt : std::optional(end), std::move(pairs)};
}

TablePair paired_table(const std::vector<Measured>& measured, std::size_t baseline, const CompareOptions& options) {
  const Measured& base = measured[baseline];
  ResultTable table{
      "paired",
      fmt::format(
          "difference to {} over common seeds: mean with {:g}% bootstrap interval, and ratio of geometric means",
          base.series.name, 100 * options.bootstrap.confidence)};
  table.columns = {{"series", "series"},
                   {"baseline", "baseline"},
                   {"quantity", "quantity"},
                   {"to", "to"},
                   {"at", "at " + options.against},
                   {"pairs", "pairs"},
                   {"difference", "difference"},
                   {"low", "low"},
                   {"high", "high"},
                   {"ratio", "ratio"},
                   {"ratio_low", "low"},
                   {"ratio_high", "high"}};
  for (const Measured& one : measured) {
    if (&one == &base) continue;
    const auto [end, at_end] = pairs_at_common_end(one, base);
    std::vector<ResultCell> line{one.series.name, base.series.name, options.metric, ResultCell(), end};
    append_intervals(line, at_end, options.bootstrap);
    table.rows.push_back(std::move(line));
    for (const double level : options.to) {
      SeedPairs pairs;
      for (const auto& [i, j] : common_seeds(one.series, base.series)) {
        const auto cost = cost_of(*one.series.runs[i], options.against, level, options);
        const auto of_base = cost_of(*base.series.runs[j], options.against, level, options);
        if (cost && of_base) pairs.add(*cost, *of_base);
      }
      line = {one.series.name, base.series.name, options.against, level, ResultCell()};
      append_intervals(line, pairs, options.bootstrap);
      table.rows.push_back(std::move(line));
    }
  }
  return same_for_both(std::move(table));
}

TablePair pareto_table(const std::vector<Measured>& measured, const CompareOptions& options) {
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

TablePair crossings_table(const std::vector<Measured>& measured, const CompareOptions& options) {
  ResultTable table{"crossings", fmt::format("where mean curves of {} over {} cross, on the lines between their points",
                                             options.metric, heading_of(options.against))};
  table.columns = {{"first", "first"},
                   {"second", "second"},
                   {options.against, heading_of(options.against)},
                   {options.metric, options.metric},
                   {"lower_after", "lower after"}};
  for (std::size_t i = 0; i < measured.size(); ++i)
    for (std::size_t j = i + 1; j < measured.size(); ++j) {
      std::vector<Curve> both = measured[i].curves;
      both.insert(both.end(), measured[j].curves.begin(), measured[j].curves.end());
      const std::vector<double> reached_by_all = mean_curve(both, union_of_x(both)).x;
      const std::string &first = measured[i].series.name, &second = measured[j].series.name;
      for (const Crossing& crossing :
           crossings(mean_curve(measured[i].curves, reached_by_all), mean_curve(measured[j].curves, reached_by_all)))
        table.rows.push_back({first, second, crossing.x, crossing.y, crossing.first_is_lower_after ? first : second});
    }
  return same_for_both(std::move(table));
}

/// The place of the baseline.
std::size_t find_baseline(const std::vector<Measured>& measured, const std::string& name) {
  std::vector<std::string> names;
  for (const Measured& one : measured) names.push_back(one.series.name);
  const auto at = std::ranges::find(names, name);
  if (at == names.end())
    throw OutputError(fmt::format("baseline: expected one of the series {}, found {}{}", comma_list(names), name,
                                  did_you_mean(name, names)));
  return static_cast<std::size_t>(at - names.begin());
}

/// Easier levels first, each once.
std::vector<double> ordered_levels(const CompareOptions& options) {
  std::vector<double> levels = options.to;
  if (levels.empty() && options.metric == "relative_error") levels = {1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  for (const double level : levels)
    if (!std::isfinite(level))
      throw OutputError(fmt::format("to: expected finite levels of {}, found {}", options.metric, level));
  std::ranges::sort(levels);
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  if (!options.rising) std::ranges::reverse(levels);
  return levels;
}

}  // namespace

const std::vector<Currency>& currencies() {
  static const std::vector<Currency> all{{"round", "rounds"},
                                         {"simulated_s", "simulated time (s)"},
                                         {"bytes", "bytes"},
                                         {"messages", "messages"},
                                         {"flops_per_agent_max", "flops per agent (largest)"},
                                         {"flops", "flops in total"},
                                         {"encrypting_s", "encryption time (s)"}};
  return all;
}

std::vector<std::string> comparison_tables() {
  return {"series", "curves", "accuracy", "paired", "pareto", "crossings"};
}

ComparedRuns compare_runs(const std::vector<RecordedRun>& runs, const CompareOptions& given) {
  CompareOptions options = given;
  options.to = ordered_levels(given);
  std::vector<Measured> measured;
  for (Series& series : make_series(runs)) {
    std::vector<Curve> curves;
    for (const RecordedRun* run : series.runs) curves.push_back(recorded_curve(*run, options.against, options.metric));
    measured.push_back({std::move(series), std::move(curves)});
  }
  const std::size_t baseline = options.baseline.empty() ? 0 : find_baseline(measured, options.baseline);
  ComparedRuns comparison;
  comparison.headline = fmt::format("{} series, {} run{}: {} over {}", measured.size(), runs.size(),
                                    runs.size() == 1 ? "" : "s", options.metric, heading_of(options.against));
  for (TablePair& pair : std::vector{series_table(measured, options), curves_table(measured, options),
                                     accuracy_table(measured, options), paired_table(measured, baseline, options),
                                     pareto_table(measured, options), crossings_table(measured, options)}) {
    comparison.tables.push_back(std::move(pair.shown));
    comparison.tidy.push_back(std::move(pair.tidy));
  }
  return comparison;
}

}  // namespace lagnet
