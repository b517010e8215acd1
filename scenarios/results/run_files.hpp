#pragma once

#include <filesystem>
#include <string>

#include "scenarios/results/recorded_source.hpp"
#include "scenarios/run/run.hpp"

namespace lagnet {

/// What summary.json says of scenario.json.
struct WrittenScenario {
  std::string checksum;
  Json inputs;  // named_files.hpp
};

/// Writes scenario.json to `folder`, for use in `target`: paths in it are relative to that. It exists before the run
/// starts, so that readers of the run's first rows know their scenario. Throws OutputError.
WrittenScenario write_scenario_file(const Experiment& experiment, const std::filesystem::path& folder,
                                    const std::filesystem::path& target);

/// Writes the files of a run but scenario.json and those that grow while it goes on (progress.csv, trace.jsonl,
/// timeline.json). `scenario`: what write_scenario_file() gave. What is a value of a run that took its values from
/// another one is that one's: `source`. Throws OutputError.
void write_run_files(const Experiment& experiment, const Outcome& outcome, const std::filesystem::path& folder,
                     const WrittenScenario& scenario, const RecordedSource* source = nullptr);

/// Runs one point, with the values of another run if there is one, and writes its files to `folder`; they will stand in
/// `target`. Throws what run() throws, and OutputError.
Outcome run_point(const Experiment& experiment, const std::filesystem::path& folder,
                  const std::filesystem::path& target, RunOptions options, const RecordedSource* source = nullptr);

}  // namespace lagnet
