#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/result_table.hpp"
#include "scenarios/compare/tables/verdict.hpp"
#include "scenarios/results/recorded_runs.hpp"

/// `lagnet compare`: what recorded runs of one problem say about each other.
namespace lagnet {

/// The answer, and the tables of a comparison:
///   verdict    who gets to each level first, and how many times more the next one pays
///   series     the runs that differ in their seeds alone, how they ended and with what
///   curves     the metric over the axis, at common values, as values_of_all() defines it
///   accuracy   what it costs to reach each level and stay there, in every currency, as counted in the first row from
///              which on it does; the median over all runs, those that never do counting as dearer than all others
///   paired     the difference to the baseline, over the seeds that both have (common random numbers), with a
///              bootstrap interval: of the cost of each level, where both got there, and of the metric at the last
///              value of the axis that all of these runs reach; and the ratio, where all values are above 0
///   pareto     which series no other one beats in simulated time and bytes to a level
///   crossings  where the mean curves of two series cross, on the lines between their points
///   waits      what everybody waited for, where runs recorded it
///   bounds     measured values over what theory proves, of methods with a closed form
///   runs       a row for each run, for programs
/// Runs at different values of a swept key are not compared by accident: the first series is a baseline only for those
/// that differ from it in one swept key, and only such pairs cross. With `options.by` there is a pivot (pivot.hpp) and
/// no other table. Where runs differ in one number of the network, as a latency, the verdict is that of the pivot over
/// it, which is added to the tables.
/// Tidy tables, for programs, have one row for each number with all that it belongs to; the others fit on a page.
struct ComparedRuns {
  std::string headline;  // the compared metric and its axis
  std::string setting;   // network and data, in one line
  ComparisonVerdict verdict;
  std::vector<std::string> series;  // names, in order
  std::vector<ResultTable> tables, tidy;
  std::vector<std::string> sentences;  // below the tables of a pivot
};

/// Throws OutputError with one line: as compared_series and recorded_column do, for levels that are not
/// finite, and for a baseline that is no series.
ComparedRuns compare_runs(const std::vector<RecordedRun>& runs, const CompareOptions& options);

/// The level that is asked for: the hardest of `options.to`; without any, the tolerance that all runs stop at.
std::optional<double> asked_level(const CompareOptions& options, const std::vector<RecordedRun>& runs);

/// The names of the tables, in their order.
std::vector<std::string> comparison_tables();

}  // namespace lagnet
