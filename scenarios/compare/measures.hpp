#pragma once

#include <string>
#include <vector>

#include "scenarios/format/kinds/measure_options.hpp"
#include "scenarios/results/recorded_runs.hpp"

/// Numbers that are taken from the recorded runs of a sweep: which runs, which column, which row.
namespace lagnet {

/// The runs of `all` whose scenarios have these values; a member that a scenario lacks has none.
std::vector<const RecordedRun*> matching(const std::vector<const RecordedRun*>& all, const Json& where);

/// The number of runs that match together. Throws OutputError if there are none, or more than can be combined, for a
/// column that is not there, or an empty cell.
double measured(const std::vector<const RecordedRun*>& runs, const MeasureOptions& options);

/// Whether a number lies in a range {"at_least": 4, "at_most": 64}, or one of them.
bool is_in_range(double x, const Json& range);

/// The options with each relative level replaced by its value. A relative level is a share of what other runs end with.
/// These runs are found among `all`: they have the values of `where`, except for those that the level names. Throws
/// OutputError if there are none.
MeasureOptions with_levels(const MeasureOptions& options, const std::vector<const RecordedRun*>& all);

/// A column of a run, or its excess, the objective above the optimum. Throws OutputError if it is not there.
std::vector<double> recorded_series(const RecordedRun& run, const std::string& metric);

/// 4 digits: "0.01235", "1.235e-07", "never" for infinity, "-inf" below.
std::string shown_measure(double value);

}  // namespace lagnet
