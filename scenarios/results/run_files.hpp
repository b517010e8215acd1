#pragma once

#include <filesystem>

#include "scenarios/results/recorded_source.hpp"
#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// Writes the files of a run but those that grow while it goes on (progress.csv, trace.jsonl, timeline.json) to
/// `folder`, for use in `target`: paths in scenario.json are relative to that. What is a value of a run that took its
/// values from another one is that one's: `source`. Throws OutputError.
void write_run_files(const Experiment& experiment, const Outcome& outcome, const std::filesystem::path& folder,
                     const std::filesystem::path& target, const RecordedSource* source = nullptr);

}  // namespace lagnet
