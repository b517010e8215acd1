#pragma once

#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// The output of `lagnet compare` for these runs, for the report's page: {"headline", "setting", "asked", "verdict":
/// {"sentences", "never", "rows"}, "tables", "remarks"}, as tools/report/README.md describes it. Null where runs cannot
/// be compared, and then `missing` says why.
Json comparison_model(const std::vector<RecordedRun>& runs, const CompareOptions& options, std::string& missing);

}  // namespace lagnet
