#pragma once

#include <filesystem>
#include <vector>

#include "scenarios/deploy/local_run.hpp"
#include "scenarios/deploy/planned_run.hpp"
#include "scenarios/json/diagnostics.hpp"

namespace lagnet {

/// Measures as the process of an agent of a plan, and writes the results to `options.record`. Throws as
/// run_planned_agent(), and OutputError.
void calibrate_planned(const std::filesystem::path& plan, const PlannedAgentOptions& options);

/// The sections `network` and `compute` that the records of all processes of a plan give. Throws Diagnosed and
/// RunError with all problems.
Json collect_calibrations(const std::filesystem::path& plan, const std::vector<std::filesystem::path>& records);

/// The same of processes of this computer, at the loopback address: by default one for each agent. Throws as
/// run_locally().
Json calibrate_locally(const ScenarioFile& file, const LocalRunOptions& options);

}  // namespace lagnet
