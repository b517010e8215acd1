#include "scenarios/compare/tables/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>

#include "scenarios/compare/tables/bounds_table.hpp"
#include "scenarios/compare/tables/cost_tables.hpp"
#include "scenarios/compare/tables/paired.hpp"
#include "scenarios/compare/tables/pivot.hpp"
#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/compare/tables/setting_line.hpp"
#include "scenarios/compare/tables/value_tables.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

/// Places of the series that get to the hardest level soonest, in their order: what people's tables have room for.
std::vector<std::size_t> places_to_show(const ComparisonVerdict& verdict, std::size_t series,
                                        const CompareOptions& options) {
  constexpr std::size_t room = 12;
  std::vector<std::size_t> places(series);
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (options.all || series <= room) return places;
  const auto is_ahead = [&](std::size_t a, std::size_t b) {
    for (const LevelVerdict* row : verdict.in("simulated_s") | std::views::reverse) {
      constexpr double never = std::numeric_limits<double>::infinity();
      const auto& costs = row->costs;
      const double of_a = costs[a].median.value_or(never), of_b = costs[b].median.value_or(never);
      if (of_a != of_b) return of_a < of_b;
    }
    return false;
  };
  std::ranges::stable_sort(places, is_ahead);
  places.resize(room);
  std::ranges::sort(places);
  return places;
}

std::vector<DistinctValues> keys_of(const std::vector<ComparedSeries>& measured, const SweptKeys& swept) {
  std::vector<DistinctValues> keys;
  for (const ComparedSeries& one : measured) keys.push_back(distinct_values(*one.runs.front().recorded, swept));
  return keys;
}

std::vector<TablePair> tables_of(const std::vector<RecordedRun>& runs, const std::vector<ComparedSeries>& measured,
                                 const SweptKeys& swept, const CompareOptions& options) {
  const std::vector<DistinctValues> keys = keys_of(measured, swept);
  std::vector<TablePair> tables{
      series_table(measured, options),   curves_table(measured, options),
      accuracy_table(measured, options), paired_table(measured, baselines_of(runs, measured, keys, options), options),
      pareto_table(measured, options),   crossings_table(measured, keys, options)};
  if (auto waits = waits_table(measured)) tables.push_back(std::move(*waits));
  if (auto bounds = bounds_table(measured)) tables.push_back(std::move(*bounds));
  tables.push_back(runs_table(measured, swept, options));
  return tables;
}

/// What people are shown instead where there are too many series for a page: the tables of the best of them. Nothing
/// where all fit.
std::vector<TablePair> tables_of_best(const std::vector<RecordedRun>& runs, const std::vector<ComparedSeries>& measured,
                                      const ComparisonVerdict& verdict, const SweptKeys& swept,
                                      const CompareOptions& options) {
  const std::vector<std::size_t> places = places_to_show(verdict, measured.size(), options);
  // Baselines may be any of them.
  if (places.size() == measured.size() || !options.baseline.empty()) return {};
  std::vector<ComparedSeries> best;
  for (const std::size_t place : places) best.push_back(measured[place]);
  std::vector<TablePair> tables = tables_of(runs, best, swept, options);
  for (TablePair& pair : tables)
    pair.shown.title +=
        fmt::format("; of the best {} series, and {} more (--all)", best.size(), measured.size() - best.size());
  return tables;
}

void append_tables(const Pivot& pivot, ComparedRuns& comparison) {
  for (const TablePair* pair : {&pivot.costs, &pivot.swaps}) {
    comparison.tables.push_back(pair->shown);
    comparison.tidy.push_back(pair->tidy);
  }
}

/// The answer if the sweep varies a condition of the network: who is first at each of its values. Nothing if it varies
/// no such key, or if each value has only one series.
std::optional<Pivot> pivot_over_condition(const std::vector<RecordedRun>& runs,
                                          const std::vector<ComparedSeries>& measured, const SweptKeys& swept,
                                          const CompareOptions& options) {
  CompareOptions by_condition = options;
  by_condition.by = swept.condition;
  if (by_condition.by.empty() || measured.size() < 3) return std::nullopt;
  Pivot pivot = pivot_table(runs, by_condition);
  if (!pivot.has_choice) return std::nullopt;
  if (options.against == "simulated_s") {
    by_condition.against = "bytes";
    const Pivot bytes = pivot_table(runs, by_condition);
    pivot.sentences.insert(pivot.sentences.end(), bytes.sentences.begin(), bytes.sentences.end());
  }
  return pivot;
}

/// Puts the answer at each value of a condition in the place of that over all series.
void tell_by_condition(const Pivot& pivot, ComparisonVerdict& verdict) {
  verdict.headline = fmt::format("Compared at each {}.", pivot.key);
  verdict.sentences = pivot.sentences;
  verdict.never = pivot.never;
  if (!verdict.unreached.empty()) verdict.never.push_back(verdict.unreached);
}

/// The smallest relative error that runs stop at, if all of them stop at one.
std::optional<double> tolerance_of(const std::vector<RecordedRun>& runs) {
  double tolerance = std::numeric_limits<double>::infinity();
  for (const RecordedRun& run : runs) {
    const auto own = Document(run.scenario).number("/stop/relative_error");
    if (!own) return std::nullopt;
    tolerance = std::min(tolerance, *own);
  }
  return tolerance;
}

/// Usual levels of the relative error: powers of ten to 1e-6, but none beyond the tolerance that all runs stop at.
std::vector<double> usual_levels(const std::vector<RecordedRun>& runs) {
  std::vector<double> levels{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6};
  const auto tolerance = tolerance_of(runs);
  if (!tolerance || *tolerance < levels.back()) return levels;
  std::erase_if(levels, [tolerance](double level) { return level <= *tolerance; });
  levels.push_back(*tolerance);
  return levels;
}

/// Easier levels first, each once.
std::vector<double> ordered_levels(const CompareOptions& options, const std::vector<RecordedRun>& runs) {
  std::vector<double> levels = options.to;
  if (levels.empty() && options.metric == "relative_error") levels = usual_levels(runs);
  for (const double level : levels)
    if (!std::isfinite(level))
      throw OutputError(fmt::format("to: expected finite levels of {}, found {}", options.metric, level));
  std::ranges::sort(levels);
  levels.erase(std::ranges::unique(levels).begin(), levels.end());
  if (!options.rising) std::ranges::reverse(levels);
  return levels;
}

/// The currency of the runs' prices; "" if they differ.
std::string money_of(const std::vector<RecordedRun>& runs) {
  const auto of = [](const RecordedRun& run) { return Document(run.summary).text("/totals/currency"); };
  return std::ranges::all_of(runs, [&](const RecordedRun& run) { return of(run) == of(runs.front()); })
             ? of(runs.front())
             : "";
}

}  // namespace

std::optional<double> asked_level(const CompareOptions& options, const std::vector<RecordedRun>& runs) {
  return options.to.empty() ? tolerance_of(runs) : ordered_levels(options, runs).back();
}

std::vector<std::string> comparison_tables() {
  return {"verdict",   "series", "curves", "accuracy", "paired", "pareto",
          "crossings", "waits",  "bounds", "runs",     "pivot",  "swaps"};
}

ComparedRuns compare_runs(const std::vector<RecordedRun>& runs, const CompareOptions& given) {
  CompareOptions options = given;
  options.to = ordered_levels(given, runs);
  options.money = money_of(runs);
  ComparedRuns comparison;
  comparison.setting = setting_line(runs);
  if (!options.by.empty()) {
    Pivot pivot = pivot_table(runs, options);
    comparison.headline =
        fmt::format("{}: {} by {}", counted(runs.size(), "run"), options.metric, key_pointer(options.by, "by"));
    comparison.sentences = pivot.sentences;
    for (const auto& list : {pivot.never, texts_of(pivot.remarks)})
      comparison.sentences.insert(comparison.sentences.end(), list.begin(), list.end());
    append_tables(pivot, comparison);
    return comparison;
  }
  std::vector<const RecordedRun*> all;
  for (const RecordedRun& run : runs) all.push_back(&run);
  const std::vector<ComparedSeries> measured = compared_series(all, options);
  const SweptKeys swept = swept_keys(runs);
  const bool has_seeds = runs.size() > measured.size();
  comparison.headline =
      fmt::format("{} series, {}: {} over {}{}", measured.size(), counted(runs.size(), "run"), options.metric,
                  heading_of(options.against), has_seeds ? ", medians over seeds" : "");
  comparison.verdict = verdict_on_levels(measured, options);
  for (const ComparedSeries& one : measured) comparison.series.push_back(one.name);
  const std::optional<Pivot> pivot = pivot_over_condition(runs, measured, swept, options);
  if (!options.baseline.empty())
    tell_against_baselines(comparison.verdict, measured,
                           baselines_of(runs, measured, keys_of(measured, swept), options), options);
  else if (pivot)
    tell_by_condition(*pivot, comparison.verdict);
  std::vector<TablePair> tidy = tables_of(runs, measured, swept, options);
  std::vector<TablePair> shown = tables_of_best(runs, measured, comparison.verdict, swept, options);
  if (shown.empty()) shown = tidy;
  shown.insert(shown.begin(), verdict_table(comparison.verdict, measured, options));
  tidy.insert(tidy.begin(), verdict_table(comparison.verdict, measured, options));
  for (TablePair& pair : shown) comparison.tables.push_back(std::move(pair.shown));
  for (TablePair& pair : tidy) comparison.tidy.push_back(std::move(pair.tidy));
  if (pivot) append_tables(*pivot, comparison);
  return comparison;
}

}  // namespace lagnet
