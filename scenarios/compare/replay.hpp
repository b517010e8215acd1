#pragma once

#include <filesystem>
#include <string>

#include "scenarios/sweep/execute.hpp"

namespace lagnet {

/// Runs the scenario of a result folder again. Returns the first difference between the folder and the new run,
/// "progress.csv:3: objective is `0.5`, and `0.25` in the new run", or "" if there is none. Throws OutputError if the
/// folder holds no results.
std::string replay(const std::filesystem::path& folder, const ExecuteOptions& options);

}  // namespace lagnet
