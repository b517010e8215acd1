#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/compare/tables/curve.hpp"
#include "scenarios/compare/tables/result_table.hpp"
#include "scenarios/results/level_rows.hpp"
#include "scenarios/results/recorded_runs.hpp"

/// The common input of all tables of a comparison.
namespace lagnet {

struct BootstrapOptions {
  std::size_t resamples = 10'000;
  double confidence = 0.95;  // in (0, 1)
  std::uint64_t seed = 1;    // of these draws, independent of the runs' draws
};

struct CompareOptions {
  std::string metric = "relative_error";  // column of progress.csv
  std::string against = "simulated_s";    // column that never falls: the axis, and what paired differences are of
  std::vector<double> to = {};            // levels of the metric; none: the usual ones of relative_error
  bool rising = false;                    // large values of the metric are good: levels are reached from below
  // The baseline: a series, by default the first, or "KEY=VALUE": compare each series with the one that differs only in
  // this value.
  std::string baseline = {};
  std::string by = {};      // key whose values are the rows of a pivot table; none: no such table
  std::string money = {};   // the currency of prices; compare_runs() asks the runs
  bool all = false;         // people's tables show every series, however many there are
  std::size_t points = 20;  // largest number of values of the axis in the curves; 0: all
  BootstrapOptions bootstrap = {};
};

/// What a column counts when the metric of a run gets to a level, and stays there: in every later row it is at the
/// level or beyond it. When it did so lies between two rows. All are infinite where the last row is short of the level,
/// but for `touched`.
struct CostOfRun {
  double touched = std::numeric_limits<double>::infinity();  // in the first row that is there, whatever comes after it
  // In the last row that is short of it. Where a row for each round leaves no doubt, or the first row is there, as in
  // `there`.
  double before = std::numeric_limits<double>::infinity();
  double there = std::numeric_limits<double>::infinity();  // in the row after that: the cost
};

/// A run as tables read it, which ask its files for nothing else but values of its scenario.
struct ComparedRun {
  const RecordedRun* recorded = nullptr;
  std::size_t place = 0;  // among all runs
  std::uint64_t seed = 0;
  std::string status, ended_by;             // as the summary says; "" and "?" if it does not
  bool has_rows_of_rounds = true;           // and of nothing in between
  std::map<double, LevelRows> levels = {};  // of the options

  CostOfRun cost(const std::string& column, double level) const;
  /// The cost when it is there for good; nothing if it never is.
  std::optional<double> paid(const std::string& column, double level) const;
  /// Whether the run ended in the row that reached the level, so that it is unknown if it would have stayed there.
  bool ended_on_arrival(double level) const;
  /// A column's value in the last row; nothing without rows, or without the column.
  std::optional<double> last(std::string_view column) const;
};

/// Runs that differ in their seeds alone: one method under one set of circumstances.
struct ComparedSeries {
  std::string name;               // what tells it from the others: "netlasso agents=16"
  std::vector<ComparedRun> runs;  // by ascending seed, each seed once
  std::vector<Curve> curves;      // of these runs: the metric over the axis

  /// Null if no run has that seed.
  const ComparedRun* find(std::uint64_t seed) const;
};

/// The runs of two series that have a seed in common, as places in each.
std::vector<std::pair<std::size_t, std::size_t>> common_seeds(const ComparedSeries& first,
                                                              const ComparedSeries& second);

/// Costs of a level for two series under each of their common seeds, infinite where a run never got there.
struct CostsOfSeeds {
  std::vector<double> first, second;
};
CostsOfSeeds costs_of_seeds(const ComparedSeries& first, const ComparedSeries& second, double to,
                            const std::string& currency);

/// Groups runs to series, in the order in which their first runs come. Names, descriptions, sources, what is traced,
/// expected, drawn or tuned do not tell series apart. Throws OutputError with one line if two runs have the same
/// scenario and seed, or if not all minimize the same objective over the same data, and as recorded_curve does. The
/// runs must outlive the series.
std::vector<ComparedSeries> compared_series(const std::vector<const RecordedRun*>& runs, const CompareOptions& options);

/// The runs of all series, in the order in which they were given.
std::vector<const ComparedRun*> runs_of(const std::vector<ComparedSeries>& measured);

/// Whether all runs have numbers in a column.
bool have_column(const std::vector<ComparedSeries>& measured, std::string_view column);

/// A table as people and as programs read it.
struct TablePair {
  ResultTable shown, tidy;
};
inline TablePair same_for_both(ResultTable table) { return {table, std::move(table)}; }

}  // namespace lagnet
