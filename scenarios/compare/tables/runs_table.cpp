#include "scenarios/compare/tables/runs_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/compare/tables/amounts.hpp"
#include "scenarios/compare/tables/cost_tables.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/results/swept_columns.hpp"

namespace lagnet {

namespace {

/// How old what a run's updates used was; nothing where it had rounds and used nothing of an earlier one.
struct StalenessOfRun {
  std::optional<double> mean, largest;
};

StalenessOfRun staleness_of(const RecordedRun& run) {
  double uses = 0, sum = 0, largest = 0;
  const Json counts = run.summary.value(Json::json_pointer("/totals/staleness"), Json::object());
  for (const auto& [age, count] : counts.items()) {
    const double old = std::stod(age);
    uses += count.get<double>();
    sum += old * count.get<double>();
    largest = std::max(largest, old);
  }
  if (uses == 0) return {};
  return {sum / uses, largest};
}

}  // namespace

TablePair runs_table(const std::vector<ComparedSeries>& measured, const SweptKeys& swept,
                     const CompareOptions& options) {
  ResultTable table{"runs",
                    fmt::format("runs: {} in the last row, and the simulated time to each level", options.metric)};
  std::vector<std::string> pointers = swept.pointers;
  pointers.insert(pointers.end(), swept.of_labels.begin(), swept.of_labels.end());
  std::vector<PointValues> values;
  for (const auto& [series, curves] : measured)
    for (const RecordedRun* run : series.runs) {
      values.emplace_back();
      for (const std::string& pointer : pointers)
        values.back().emplace_back(pointer, simple_value(run->scenario, pointer));
      table.rows.push_back(
          {printable(run->folder.generic_string()), series.name, static_cast<std::size_t>(run->seed())});
    }
  table.columns = {"folder", "series", "seed"};
  std::vector<std::string> taken{"folder", "series", "seed", "ended_by", options.metric};
  for (const SweptColumn& column : swept_columns(values, taken)) {
    table.columns.emplace_back(column.name);
    for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].emplace_back(column.cells[i]);
  }
  table.columns.insert(table.columns.end(), {{"ended_by", "ended by"}, options.metric});
  std::vector<const RecordedRun*> runs;
  std::size_t row = 0;
  for (const auto& [series, curves] : measured)
    for (std::size_t r = 0; r < curves.size(); ++r, ++row) {
      runs.push_back(series.runs[r]);
      table.rows[row].emplace_back(series.runs[r]->summary.value(Json::json_pointer("/stop/reason"), std::string("?")));
      table.rows[row].emplace_back(curves[r].y.back());
    }
  std::vector<StalenessOfRun> staleness;
  for (const RecordedRun* run : runs) staleness.push_back(staleness_of(*run));
  if (std::ranges::any_of(staleness, [](const StalenessOfRun& of) { return of.mean.has_value(); })) {
    table.columns.emplace_back("staleness_mean");
    table.columns.emplace_back("staleness_max");
    for (std::size_t i = 0; i < staleness.size(); ++i) {
      table.rows[i].emplace_back(staleness[i].mean);
      table.rows[i].emplace_back(staleness[i].largest);
    }
  }
  for (const double level : options.to) {
    std::vector<std::optional<double>> seconds;
    for (const RecordedRun* run : runs) seconds.push_back(cost_of(*run, "simulated_s", level, options));
    if (std::ranges::none_of(seconds, [](const auto& cost) { return cost.has_value(); })) continue;
    table.columns.emplace_back(fmt::format("to_{}_s", level_text(level)));
    for (std::size_t i = 0; i < seconds.size(); ++i) table.rows[i].emplace_back(seconds[i]);
  }
  return same_for_both(std::move(table));
}

}  // namespace lagnet
