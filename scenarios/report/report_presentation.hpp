#pragma once

#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// What the scenarios of recorded runs say of all of them together, for the report's page: of each sweep what stands in
/// the scenario of its folder, of a single run what stands in its own.
struct ReportPresentation {
  /// [{"statement", "source", "measured", "allowed", "holds", "known_to_fail"}, ..]; holds is null, and measured says
  /// why, where these runs do not decide it.
  Json claims = Json::array();
  Json panels = Json::array();  // [{"title", "x", "y", "log_x", "log_y", "curves": [{"label", "runs": [3, 4]}]}, ..]
};

/// Runs are named by their places in the list. Throws ScenarioError for a scenario.json that is none.
ReportPresentation report_presentation(const std::vector<RecordedRun>& runs);

}  // namespace lagnet
