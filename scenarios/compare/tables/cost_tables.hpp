#pragma once

#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"

/// The tables of what levels of the metric cost.
namespace lagnet {

/// The cost of each level in every currency.
TablePair accuracy_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);
/// Which series no other one beats in simulated time and bytes to a level.
TablePair pareto_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);

}  // namespace lagnet
