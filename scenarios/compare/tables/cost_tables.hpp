#pragma once

#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"

/// The tables of what it costs until the metric of a run gets to a level.
namespace lagnet {

/// A column with its unit, if it is a currency, else as it is called.
std::string heading_of(const std::string& column);

/// The cost of each level in every currency.
TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);
/// Which series no other one beats in simulated time and bytes to a level.
TablePair pareto_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);

}  // namespace lagnet
