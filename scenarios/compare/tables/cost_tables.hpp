#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"

/// What it costs until the metric of a run gets to a level, and the tables of it.
namespace lagnet {

/// A column with its unit, if it is a currency, else as it is called.
std::string heading_of(const std::string& column);

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

CostOfRun cost_of_run(const RecordedRun& run, const std::string& column, double level, const CompareOptions& options);

/// Only when it is there for good; nothing if it never is.
std::optional<double> cost_of(const RecordedRun& run, const std::string& column, double level,
                              const CompareOptions& options);

/// Whether the run ended in the row that reached the level, so that it is unknown if it would have stayed there.
bool ended_on_arrival(const RecordedRun& run, double level, const CompareOptions& options);

/// The cost of each level in every currency.
TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);
/// Which series no other one beats in simulated time and bytes to a level.
TablePair pareto_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);

}  // namespace lagnet
