#pragma once

#include <optional>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/run_values.hpp"

/// The tables of what runs recorded of the metric.
namespace lagnet {

/// The endings of the runs of each series, with their last values.
TablePair series_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);
/// The metric over the axis, at common values.
TablePair curves_table(const std::vector<ComparedSeries>& measured, const CompareOptions& options);
/// The crossings of the mean curves of two series. `keys` of each series: only series that differ in at most one swept
/// key are compared.
TablePair crossings_table(const std::vector<ComparedSeries>& measured, const std::vector<DistinctValues>& keys,
                          const CompareOptions& options);

/// What everybody waited for, of the runs with record.critical_path; nothing if there are none.
std::optional<TablePair> waits_table(const std::vector<ComparedSeries>& measured);

/// A row for each run, for programs: its folder, series and seed, the swept keys by their short names, how it ended and
/// with what, and the simulated time to each level that any run gets to (to_1e-4_s).
TablePair runs_table(const std::vector<ComparedSeries>& measured, const SweptKeys& swept,
                     const CompareOptions& options);

}  // namespace lagnet
