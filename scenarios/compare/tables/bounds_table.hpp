#pragma once

#include <optional>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/value_tables.hpp"

namespace lagnet {

/// What theory proves of series beside what was measured; nothing if no run has a bound.
std::optional<TablePair> bounds_table(const std::vector<ComparedSeries>& measured);

}  // namespace lagnet
