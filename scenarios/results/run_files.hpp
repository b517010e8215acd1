#pragma once

#include <filesystem>

#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// Writes the files of a run but those that grow while it goes on (progress.csv, trace.jsonl, timeline.json) to
/// `folder`, for use in `target`: paths in scenario.json are relative to that. Throws OutputError.
void write_run_files(const Experiment& experiment, const Outcome& outcome, const std::filesystem::path& folder,
                     const std::filesystem::path& target);

}  // namespace lagnet
