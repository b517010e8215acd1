#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/sweep/execute.hpp"

namespace lagnet {

/// Gives the values of recorded runs, `folder` being that of a run or a sweep, the times of another network: runs the
/// events of their scenario with these settings, every point of which has the values of one of the runs, and writes it
/// as execute() does. Throws OutputError for the folder, and where a single run comes to rounds that the recorded one
/// has not (of a sweep such points are told as errors); ScenarioError with the reason for each point that has no run.
Executed execute_retimed(const std::filesystem::path& folder, const std::vector<std::string>& settings,
                         const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
