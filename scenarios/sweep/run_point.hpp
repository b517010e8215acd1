#pragma once

#include <filesystem>

#include "scenarios/results/recorded_source.hpp"
#include "scenarios/run/run.hpp"

namespace lagnet {

/// Runs one point, with the values of another run if there is one, and writes its files to `folder`; they will stand in
/// `target`. Throws what run() throws, and OutputError.
Outcome run_point(const Experiment& experiment, const std::filesystem::path& folder,
                  const std::filesystem::path& target, RunOptions options, const RecordedSource* source = nullptr);

}  // namespace lagnet
