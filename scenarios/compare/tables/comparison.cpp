#include "scenarios/compare/tables/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "scenarios/compare/tables/cost_tables.hpp"
#include "scenarios/compare/tables/paired.hpp"
#include "scenarios/compare/tables/value_tables.hpp"
#include "scenarios/files/result_folder.hpp"

namespace lagnet {

namespace {

/// The place of the baseline.
std::size_t find_baseline(const std::vector<ComparedSeries>& measured, const std::string& name) {
  std::vector<std::string> names;
  for (const ComparedSeries& one : measured) names.push_back(one.series.name);
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

std::vector<std::string> comparison_tables() {
  return {"series", "curves", "accuracy", "paired", "pareto", "crossings"};
}

ComparedRuns compare_runs(const std::vector<RecordedRun>& runs, const CompareOptions& given) {
  CompareOptions options = given;
  options.to = ordered_levels(given);
  std::vector<ComparedSeries> measured;
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
