#pragma once

#include <filesystem>
#include <string>

#include "scenarios/results/recorded_source.hpp"
#include "scenarios/run/run.hpp"

namespace lagnet {

/// The entry of summary.json about scenario.json.
struct WrittenScenario {
  std::string checksum;
  Json inputs;  // named_files.hpp
};

/// Writes scenario.json to `folder`, for use in `target`: paths in it are relative to that. It exists before the run
/// starts, so that readers of the run's first rows know their scenario. Throws OutputError.
WrittenScenario write_scenario_file(const Experiment& experiment, const std::filesystem::path& folder,
                                    const std::filesystem::path& target);

/// Writes the files of a run except scenario.json and the growing files (progress.csv, trace.jsonl, timeline.json).
/// `scenario`: the result of write_scenario_file(). A retimed run takes its values from `source`. Throws OutputError.
void write_run_files(const Experiment& experiment, const Outcome& outcome, const std::filesystem::path& folder,
                     const WrittenScenario& scenario, const RecordedSource* source = nullptr);

/// Runs one point, with the values of another run if there is one, and writes its files to `folder`; they will stand in
/// `target`. Throws what run() throws, and OutputError.
Outcome run_point(const Experiment& experiment, const std::filesystem::path& folder,
                  const std::filesystem::path& target, RunOptions options, const RecordedSource* source = nullptr);

}  // namespace lagnet
