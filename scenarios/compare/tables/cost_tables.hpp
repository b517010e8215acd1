#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"

/// What it costs until the metric of a run gets to a level, and the tables of it.
namespace lagnet {

/// A column with its unit, if it is a currency, else as it is called.
std::string heading_of(const std::string& column);

/// What a column counts when the metric first gets to a level; nothing if it never does.
std::optional<double> cost_of(const RecordedRun& run, const std::string& column, double level,
                              const CompareOptions& options);

/// The cost of each level in every currency.
TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);
/// Which series no other one beats in simulated time and bytes to a level.
TablePair pareto_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);

}  // namespace lagnet
