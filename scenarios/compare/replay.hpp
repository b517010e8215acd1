#pragma once

#include <filesystem>
#include <optional>

#include "scenarios/compare/difference.hpp"
#include "scenarios/sweep/execute.hpp"

namespace lagnet {

/// Runs the scenario of a result folder again. Returns the first difference between the folder and the new
/// run. Throws OutputError if the folder holds no results.
std::optional<Difference> replay(const std::filesystem::path& folder, const ExecuteOptions& options);

}  // namespace lagnet
