#pragma once

#include <filesystem>
#include <vector>

#include "scenarios/run/run.hpp"

namespace lagnet {

/// Writes the folder of a run whose agents were processes, from the records of all of them. Throws RunError where one
/// cannot be read, and OutputError.
Outcome write_told_run(const Experiment& experiment, const std::vector<std::filesystem::path>& records,
                       const std::filesystem::path& out, RunOptions options);

}  // namespace lagnet
