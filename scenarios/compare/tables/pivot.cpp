#include "scenarios/compare/tables/pivot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "scenarios/compare/tables/cost_tables.hpp"
#include "scenarios/compare/tables/run_values.hpp"
#include "scenarios/compare/tables/verdict.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/words/words.hpp"

namespace lagnet {

namespace {

/// The runs at one value of the key, and the series of each column.
struct PivotRow {
  Json value;
  std::string text;  // the value in a sentence
  std::vector<const RecordedRun*> runs;
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
  const std::vector<Json> values = values_at(runs, pointer, "by");
  for (std::size_t k = 0; k < runs.size(); ++k) {
    const Json& value = values[k];
    auto row = std::ranges::find(rows, value, &PivotRow::value);
    if (row == rows.end()) row = rows.insert(rows.end(), PivotRow{value, value_text(value), {}, {}, {}});
    row->runs.push_back(&runs[k]);
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
  bool have_one_each = true;  // a column of several labels has the name of none of them
  for (PivotRow& row : grid.rows)
    for (ComparedSeries& series : row.measured = compared_series(row.runs, options)) {
      const RecordedRun& first = *series.runs.front().recorded;
      const std::size_t column = column_of(first);
      row.columns.push_back(column);
      const std::string label = label_of(first.scenario);
      if (column == labels.size()) labels.push_back(label);
      have_one_each = have_one_each && labels[column] == label;
    }
  for (std::size_t k = 0; k < kinds.size(); ++k) kinds[k]["label"] = have_one_each ? labels[k] : "";
  grid.columns = series_names(kinds);
  for (PivotRow& row : grid.rows)
    for (std::size_t k = 0; k < row.measured.size(); ++k) row.measured[k].name = grid.columns[row.columns[k]];
  return grid;
}

/// Values of the key in a row that end alike.
struct Stretch {
  std::string who;  // the winner, "no winner", or "nobody"
  std::string first, last;
  double least = std::numeric_limits<double>::infinity(), most = 0;  // times more that the next one pays
};

/// The winner; "extra alone" where no other series has runs.
std::string told_winner(const PivotRow& row, const LevelVerdict& verdict, const char* unreached) {
  if (!verdict.leader) return unreached;
  if (row.measured.size() == 1) return row.measured.front().name + " alone";
  return verdict.winner ? row.measured[*verdict.winner].name : "no winner";
}

std::vector<Stretch> stretches_of(const PivotGrid& grid, const std::vector<LevelVerdict>& verdicts) {
  std::vector<Stretch> stretches;
  for (std::size_t k = 0; k < verdicts.size(); ++k) {
    const LevelVerdict& verdict = verdicts[k];
    const std::string who = told_winner(grid.rows[k], verdict, "nobody");
    const std::string& value = grid.rows[k].text;
    if (stretches.empty() || stretches.back().who != who) stretches.push_back({.who = who, .first = value, .last = ""});
    Stretch& stretch = stretches.back();
    stretch.last = value;
    if (!verdict.winner) continue;
    const double ratio = verdict.ratio.mean.value_or(std::numeric_limits<double>::infinity());
    stretch.least = std::min(stretch.least, ratio);
    stretch.most = std::max(stretch.most, ratio);
  }
  return stretches;
}

/// " (1.2 to 3 times sooner)"; "" if no series wins, or no other one gets there.
std::string lead_text(const Stretch& stretch, const CompareOptions& options) {
  if (!std::isfinite(stretch.least)) return "";
  const std::string least = short_number(stretch.least), most = short_number(stretch.most);
  return fmt::format(" ({}{} times {})", least,
                     least == most                 ? ""
                     : std::isfinite(stretch.most) ? " to " + most
                                                   : " and more",
                     options.against == "simulated_s" ? "sooner" : "less");
}

/// "to 1e-2: complete at latency_ms = 1 .. 100 (1.2 to 3 times sooner), lattice at 200 .. 1000 (1.5 times sooner)"; ""
/// if there are no series to compare.
std::string winners_text(const PivotGrid& grid, double to, const std::vector<LevelVerdict>& verdicts,
                         const CompareOptions& options) {
  if (grid.columns.size() < 2) return "";
  const std::vector<Stretch> stretches = stretches_of(grid, verdicts);
  std::string text = fmt::format("to {}{}: ", level_text(to),
                                 options.against == "simulated_s" ? "" : " in " + heading_of(options.against));
  if (stretches.size() == 1 && grid.rows.size() > 1)
    return text + fmt::format("{} at every {}, {} .. {}{}", stretches[0].who, grid.key, stretches[0].first,
                              stretches[0].last, lead_text(stretches[0], options));
  for (const Stretch& one : stretches)
    text += fmt::format("{} at {}{}{}{}", (&one == &stretches.front() ? "" : ", ") + one.who,
                        &one == &stretches.front() ? grid.key + " = " : "", one.first,
                        one.first == one.last ? "" : " .. " + one.last, lead_text(one, options));
  return text;
}

/// Medians of one level: for each row those of the columns.
using Medians = std::vector<std::vector<std::optional<double>>>;

/// A row of the tables for each value of the key, and a sentence.
Medians append_level(const PivotGrid& grid, double to, const CompareOptions& options, Pivot& pivot) {
  Medians medians;
  std::vector<LevelVerdict> verdicts;
  TablePair& costs = pivot.costs;
  for (const PivotRow& row : grid.rows) {
    verdicts.push_back(verdict_on_level(row.measured, to, options.against, options));
    const LevelVerdict& verdict = verdicts.back();
    medians.emplace_back(grid.columns.size());
    for (const LevelCost& cost : verdict.costs) {
      medians.back()[row.columns[cost.series]] = cost.median;
      costs.tidy.rows.push_back({to, row.text, grid.columns[row.columns[cost.series]], cost.reached_by, cost.runs,
                                 cost.median, cost.min, cost.max,
                                 std::string(verdict.winner == cost.series ? "yes" : "no")});
    }
    std::vector<ResultCell> line{to,
                                 row.value.is_number() ? ResultCell(row.value.get<double>()) : ResultCell(row.text)};
    for (const auto& median : medians.back()) line.emplace_back(median);
    if (pivot.has_choice) {
      line.push_back(told_winner(row, verdict, "none"));
      line.insert(line.end(), {verdict.ratio.mean, verdict.ratio.low, verdict.ratio.high});
    }
    costs.shown.rows.push_back(std::move(line));
  }
  const bool is_reached = std::ranges::any_of(verdicts, [](const LevelVerdict& one) { return one.leader.has_value(); });
  if (std::string text = winners_text(grid, to, verdicts, options); is_reached && !text.empty())
    pivot.sentences.push_back(std::move(text));
  return medians;
}

/// The columns that get to the level at no value of the key, where others do at some.
void tell_never(const PivotGrid& grid, double to, const Medians& medians, std::vector<std::string>& never) {
  const auto is_reached_by = [&](std::size_t column) {
    return std::ranges::any_of(medians, [column](const auto& row) { return row[column].has_value(); });
  };
  std::vector<std::string> others;
  for (std::size_t column = 0; column < grid.columns.size(); ++column)
    if (!is_reached_by(column)) others.push_back(grid.columns[column]);
  if (others.empty() || others.size() == grid.columns.size()) return;
  never.push_back(fmt::format("never reach {} in more than half of the runs, at any {}: {}", level_text(to), grid.key,
                              comma_list(others)));
}

/// "at latency_ms = 139"; for a key of whole numbers "between agents = 5 and 9".
std::string place_text(const PivotGrid& grid, double x) {
  const auto is_whole = [](const PivotRow& row) { return row.value.is_number_integer(); };
  const auto is_beyond = [x](const PivotRow& row) { return row.value.get<double>() > x; };
  if (std::ranges::all_of(grid.rows, is_whole)) {
    const auto above = std::ranges::find_if(grid.rows, is_beyond);
    if (above != grid.rows.begin() && above != grid.rows.end())
      return fmt::format("between {} = {} and {}", grid.key, std::prev(above)->text, above->text);
  }
  return fmt::format("at {} = {}", grid.key, short_number(x));
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
        pivot.sentences.push_back(fmt::format("crossing {} (to {}, {}): below it {}, above it {}",
                                              place_text(grid, crossing.x), level_text(to),
                                              amount_text(crossing.y, options.against), below, above));
      }
    }
  pivot.swaps.tidy = pivot.swaps.shown;
}

}  // namespace

Pivot pivot_table(const std::vector<RecordedRun>& runs, const CompareOptions& options) {
  const std::string pointer = key_pointer(options.by, "by");
  const PivotGrid grid = grid_of(runs, pointer, options);
  Pivot pivot{.key = grid.key,
              .has_choice = grid.columns.size() > 1,
              .costs = {},
              .swaps = {},
              .sentences = {},
              .remarks = {},
              .never = {}};
  const std::string title = fmt::format("cost of a level of {} in {}, by {}: median of all runs", options.metric,
                                        heading_of(options.against), pointer);
  ResultTable shown{"pivot", title}, tidy{"pivot", title};
  shown.keys = 2;
  shown.columns = {"to", grid.key};
  for (const std::string& column : grid.columns) shown.columns.push_back(column);
  if (pivot.has_choice) shown.columns.insert(shown.columns.end(), {"winner", {"ratio", "times sooner"}, "low", "high"});
  tidy.columns = {"to", grid.key, "series", {"reached_by", "reached by"}, "runs", "median", "min", "max", "winner"};
  pivot.costs = {std::move(shown), std::move(tidy)};
  pivot.swaps.shown =
      ResultTable{"swaps", fmt::format("where medians cross, on the lines between neighboring values of {}", pointer)};
  pivot.swaps.shown.columns = {"to", "below", "above", grid.key, {options.against, heading_of(options.against)}};
  pivot.swaps.tidy = pivot.swaps.shown;
  std::vector<std::string> sentences;
  bool is_end_told = false;  // harder levels are not reached either
  for (const double to : options.to) {
    const Medians medians = append_level(grid, to, options, pivot);
    const auto is_known = [](const auto& row) {
      return std::ranges::any_of(row, [](const auto& m) { return bool(m); });
    };
    if (std::ranges::none_of(medians, is_known)) {
      pivot.costs.shown.rows.resize(pivot.costs.shown.rows.size() - medians.size());
      if (!is_end_told)
        pivot.never.push_back(fmt::format("{} is not reached by half of the runs at any {}", level_text(to), grid.key));
      is_end_told = true;
    }
    tell_never(grid, to, medians, pivot.never);
    append_swaps(grid, to, medians, options, pivot);
    // The hardest level is printed first.
    sentences.insert(sentences.begin(), pivot.sentences.begin(), pivot.sentences.end());
    pivot.sentences.clear();
  }
  pivot.sentences = std::move(sentences);
  for (const PivotRow& row : grid.rows) {
    const ComparisonVerdict verdict = verdict_on_levels(row.measured, options);
    Remarks remarks;
    for (const std::string& text : verdict.broken) remarks.push_back({"broken", {}, text});
    remarks.insert(remarks.end(), verdict.remarks.begin(), verdict.remarks.end());
    for (const Remark& one : remarks)
      if (std::ranges::find(pivot.remarks, one) == pivot.remarks.end()) pivot.remarks.push_back(one);
  }
  return pivot;
}

}  // namespace lagnet
