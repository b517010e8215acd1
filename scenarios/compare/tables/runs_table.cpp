#include "scenarios/compare/tables/runs_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/compare/tables/amounts.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/results/swept_columns.hpp"

namespace lagnet {

namespace {

/// How old what a run's updates used was; nothing where it had rounds and used nothing of an earlier one.
struct StalenessOfRun {
  std::optional<double> mean, largest;
};

StalenessOfRun staleness_of(const RecordedRun& run) {
  double uses = 0, sum = 0, largest = 0;
  for (const auto& [age, count] : Document(run.summary).at("/totals/staleness").items()) {
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
  std::vector<const ComparedRun*> runs;
  for (const ComparedSeries& series : measured)
    for (const ComparedRun& run : series.runs) {
      runs.push_back(&run);
      values.emplace_back();
      for (const std::string& pointer : pointers)
        values.back().emplace_back(pointer, simple_value(run.recorded->scenario, pointer));
      table.rows.push_back(
          {printable(run.recorded->folder.generic_string()), series.name, static_cast<std::size_t>(run.seed)});
    }
  table.columns = {"folder", "series", "seed"};
  std::vector<std::string> taken{"folder", "series", "seed", "ended_by", options.metric};
  for (const SweptColumn& column : swept_columns(values, taken)) {
    table.columns.emplace_back(column.name);
    for (std::size_t i = 0; i < table.rows.size(); ++i) table.rows[i].emplace_back(column.cells[i]);
  }
  table.columns.insert(table.columns.end(), {{"ended_by", "ended by"}, options.metric});
  std::size_t row = 0;
  for (const ComparedSeries& series : measured)
    for (const Curve& curve : series.curves) {
      table.rows[row].emplace_back(runs[row]->ended_by);
      table.rows[row++].emplace_back(curve.y.back());
    }
  std::vector<StalenessOfRun> staleness;
  for (const ComparedRun* run : runs) staleness.push_back(staleness_of(*run->recorded));
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
    for (const ComparedRun* run : runs) seconds.push_back(run->paid("simulated_s", level));
    if (std::ranges::none_of(seconds, [](const auto& cost) { return cost.has_value(); })) continue;
    table.columns.emplace_back(fmt::format("to_{}_s", level_text(level)));
    for (std::size_t i = 0; i < seconds.size(); ++i) table.rows[i].emplace_back(seconds[i]);
  }
  return same_for_both(std::move(table));
}

}  // namespace lagnet
