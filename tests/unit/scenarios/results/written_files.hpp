#pragma once

#include <map>
#include <string>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_files.hpp"

namespace lagnet {

/// The files of a run, by name, for use in /nowhere.
inline std::map<std::string, std::string> written_files(const Experiment& experiment, const Outcome& outcome) {
  const TemporaryFolder place("written");
  ProgressFile progress(experiment, place.path());
  for (const Row& row : outcome.rows) progress.add(row);
  progress.close();
  write_run_files(experiment, outcome, place.path(), write_scenario_file(experiment, place.path(), "/nowhere"));
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(place.path()))
    files[entry.path().filename().string()] = read_file(entry.path());
  return files;
}

}  // namespace lagnet
