#pragma once

#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// The claims, figures and maps of recorded runs, for the report's page: for each sweep those of the scenario in its
/// folder, for a single run those of its own scenario.
struct ReportPresentation {
  /// [{"statement", "source", "paper", "place", "weaker", "measured", "allowed", "holds", "verdict", "draws",
  /// "holding", "known_to_fail"}, ..]; holds is null, and measured says why, where these runs do not decide it.
  Json claims = Json::array();
  Json panels = Json::array();  // [{"title", "x", "y", "log_x", "log_y", "curves": [{"label", "runs": [3, 4]}]}, ..]
  /// [{"title", "x", "y", "to", "across": {"pointer", "values"}, "down": .., "curves": [{"label", "column", "row",
  /// "runs"}]}]: a curve for each contestant in each cell.
  Json maps = Json::array();
};

/// Runs are named by their places in the list. Throws Diagnosed for a scenario.json that is none.
ReportPresentation report_presentation(const std::vector<RecordedRun>& runs);

}  // namespace lagnet
