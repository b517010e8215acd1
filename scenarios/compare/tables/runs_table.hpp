#pragma once

#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/run_values.hpp"

namespace lagnet {

/// A row for each run, for programs: its folder, series and seed, the swept keys by their short names, how it ended and
/// with what, and the simulated time to each level that any run gets to (to_1e-4_s).
TablePair runs_table(const std::vector<ComparedSeries>& measured, const SweptKeys& swept,
                     const CompareOptions& options);

}  // namespace lagnet
