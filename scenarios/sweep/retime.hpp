#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/sweep/execute.hpp"

namespace lagnet {

/// Gives the values of recorded runs, `folder` being that of a run or a sweep, the times of another network: runs the
/// events of their scenario with these settings, every point of which has the values of one of the runs, and writes it
/// as execute() does. A point of a sweep that comes to rounds which the recorded run has not is computed. Throws
/// OutputError for the folders, and where a single run comes to such a round; Diagnosed with the reason for each
/// point that has no run.
Executed execute_retimed(const std::filesystem::path& folder, const std::vector<std::string>& settings,
                         const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
