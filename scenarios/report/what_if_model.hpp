#pragma once

#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// The page's input to retime runs exactly, as tools/report/README.md describes it: {"worlds", "graphs", "runs"}. Runs
/// whose times do not follow from the steps of a round (scenarios/times), and those for which the page has no room,
/// have the reason instead. `comparison`, as comparison_model() gives it, gives the levels and the column for which the
/// page shows times.
Json what_if_model(const std::vector<RecordedRun>& runs, const Json& comparison);

}  // namespace lagnet
