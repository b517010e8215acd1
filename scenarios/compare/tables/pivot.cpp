#include "scenarios/compare/tables/pivot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "scenarios/compare/tables/amounts.hpp"
#include "scenarios/compare/tables/cost_tables.hpp"
#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/compare/tables/verdict.hpp"
#include "scenarios/format/series_names.hpp"

namespace lagnet {

namespace {

/// The runs at one value of the key, and the series of each column.
struct PivotRow {
  Json value;
  std::vector<RecordedRun> runs;
  std::vector<ComparedSeries> measured;
  std::vector<std::size_t> columns;  // of the series
};

struct PivotGrid {
  std::string key;                   // "latency_ms"
  std::vector<std::string> columns;  // names of the series without the key
  std::vector<PivotRow> rows;
};

/// Rows by ascending numbers, and other values as they come.
std::vector<PivotRow> rows_by_value(const std::vector<RecordedRun>& runs, const std::string& pointer) {
  std::vector<PivotRow> rows;
  for (const RecordedRun& run : runs) {
    const Json value = simple_value(run.scenario, pointer);
    auto row = std::ranges::find(rows, value, &PivotRow::value);
    if (row == rows.end()) row = rows.insert(rows.end(), PivotRow{value, {}, {}, {}});
    row->runs.push_back(run);
  }
  const auto is_number = [](const PivotRow& row) { return row.value.is_number(); };
  if (std::ranges::all_of(rows, is_number))
    std::ranges::stable_sort(rows, {}, [](const PivotRow& row) { return row.value.get<double>(); });
  return rows;
}

PivotGrid grid_of(const std::vector<RecordedRun>& runs, const std::string& pointer, const CompareOptions& options) {
  PivotGrid grid{.key = pointer.substr(pointer.rfind('/') + 1), .columns = {}, .rows = rows_by_value(runs, pointer)};
  std::vector<Json> kinds;
  const auto column_of = [&](const RecordedRun& run) {
    const Json kind = circumstances_without(run, pointer, runs);
    const auto at = static_cast<std::size_t>(std::ranges::find(kinds, kind) - kinds.begin());
    if (at == kinds.size()) kinds.push_back(kind);
    return at;
  };
  std::vector<std::string> labels;
  for (PivotRow& row : grid.rows)
    for (Series& series : make_series(row.runs)) {
      const std::size_t column = column_of(*series.runs.front());
      row.columns.push_back(column);
      if (column == labels.size()) labels.push_back(label_of(series.runs.front()->scenario));
      std::vector<Curve> curves;
      for (const RecordedRun* run : series.runs)
        curves.push_back(recorded_curve(*run, options.against, options.metric));
      row.measured.push_back({std::move(series), std::move(curves)});
    }
  for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k]["label"] = labels[k];
  grid.columns = series_names(kinds);
  for (PivotRow& row : grid.rows)
    for (std::size_t k = 0; k < row.measured.size(); ++k) row.measured[k].series.name = grid.columns[row.columns[k]];
  return grid;
}

/// Medians of one level: for each row those of the columns.
using Medians = std::vector<std::vector<std::optional<double>>>;

/// A row of the tables for each value of the key.
Medians append_level(const PivotGrid& grid, double to, const CompareOptions& options, TablePair& costs) {
  Medians medians;
  for (const PivotRow& row : grid.rows) {
    const LevelVerdict verdict = verdict_on_level(row.measured, to, options.against, options);
    medians.emplace_back(grid.columns.size());
    for (const LevelCost& cost : verdict.costs) {
      medians.back()[row.columns[cost.series]] = cost.median;
      costs.tidy.rows.push_back({to, value_text(row.value), grid.columns[row.columns[cost.series]], cost.reached_by,
                                 cost.runs, cost.median, cost.min, cost.max,
                                 std::string(verdict.winner == cost.series ? "yes" : "no")});
    }
    std::vector<ResultCell> line{
        to, row.value.is_number() ? ResultCell(row.value.get<double>()) : ResultCell(value_text(row.value))};
    for (const auto& median : medians.back()) line.emplace_back(median);
    line.push_back(verdict.winner ? row.measured[*verdict.winner].series.name : verdict.leader ? "no winner" : "none");
    line.insert(line.end(), {verdict.ratio.mean, verdict.ratio.low, verdict.ratio.high});
    costs.shown.rows.push_back(std::move(line));
  }
  return medians;
}

/// A pair of columns where one overtakes the other.
void append_swaps(const PivotGrid& grid, double to, const Medians& medians, const CompareOptions& options,
                  Pivot& pivot) {
  for (std::size_t i = 0; i < grid.columns.size(); ++i)
    for (std::size_t j = i + 1; j < grid.columns.size(); ++j) {
      Curve first, second;
      for (std::size_t k = 0; k < grid.rows.size(); ++k) {
        if (!grid.rows[k].value.is_number() || !medians[k][i] || !medians[k][j]) continue;
        for (Curve* curve : {&first, &second}) curve->x.push_back(grid.rows[k].value.get<double>());
        first.y.push_back(*medians[k][i]);
        second.y.push_back(*medians[k][j]);
      }
      for (const Crossing& crossing : crossings(first, second)) {
        const std::string& above = grid.columns[crossing.first_is_lower_after ? i : j];
        const std::string& below = grid.columns[crossing.first_is_lower_after ? j : i];
        pivot.swaps.shown.rows.push_back({to, below, above, crossing.x, crossing.y});
        pivot.sentences.push_back(fmt::format("crossing at {} = {} (to {}, {}): below it {}, above it {}", grid.key,
                                              short_number(crossing.x), level_text(to),
                                              amount_text(crossing.y, options.against), below, above));
      }
    }
  pivot.swaps.tidy = pivot.swaps.shown;
}

}  // namespace

Pivot pivot_table(const std::vector<RecordedRun>& runs, const CompareOptions& options) {
  const std::string pointer = key_pointer(options.by, "by");
  check_key(runs, pointer, "by");
  const PivotGrid grid = grid_of(runs, pointer, options);
  Pivot pivot;
  const std::string title = fmt::format("cost of a level of {} in {}, by {}: median of all runs", options.metric,
                                        heading_of(options.against), pointer);
  ResultTable shown{"pivot", title}, tidy{"pivot", title};
  shown.columns = {"to", grid.key};
  for (const std::string& column : grid.columns) shown.columns.push_back(column);
  shown.columns.insert(shown.columns.end(), {"winner", {"ratio", "times sooner"}, "low", "high"});
  tidy.columns = {"to", grid.key, "series", {"reached_by", "reached by"}, "runs", "median", "min", "max", "winner"};
  pivot.costs = {std::move(shown), std::move(tidy)};
  pivot.swaps.shown =
      ResultTable{"swaps", fmt::format("where medians cross, on the lines between neighboring values of {}", pointer)};
  pivot.swaps.shown.columns = {"to", "below", "above", grid.key, {options.against, heading_of(options.against)}};
  pivot.swaps.tidy = pivot.swaps.shown;
  for (const double to : options.to) {
    const Medians medians = append_level(grid, to, options, pivot.costs);
    const auto is_known = [](const auto& row) {
      return std::ranges::any_of(row, [](const auto& m) { return bool(m); });
    };
    if (std::ranges::none_of(medians, is_known)) {
      pivot.costs.shown.rows.resize(pivot.costs.shown.rows.size() - medians.size());
      pivot.sentences.push_back(fmt::format("{} is not reached anywhere by half of the runs", level_text(to)));
    }
    append_swaps(grid, to, medians, options, pivot);
  }
  return pivot;
}

}  // namespace lagnet
