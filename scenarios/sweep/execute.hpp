#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "scenarios/run/run.hpp"
#include "scenarios/sweep/parallel_points.hpp"
#include "scenarios/sweep/plan.hpp"

namespace lagnet {

/// Resources, and functions that are told what happens; each may be empty. They are called one at a time, from the
/// threads that run the points: for each point first started, then progress, then finished. With several jobs the calls
/// for different points are mixed, in an order that may differ from run to run.
struct ExecuteOptions {
  unsigned threads = 1;        // of each point
  MemoryBudget capacity = {};  // for the points of a sweep; no result depends on it
  std::function<void(const std::filesystem::path&)> writing =
      {};  // the folder that is useless if the run is interrupted
  std::function<void(std::size_t point, std::size_t points, const SweepPoint&, const Experiment&)> started = {};
  std::function<void(std::size_t point, const Progress&)> progress = {};
  std::function<void(std::size_t point, const Experiment&, const Outcome&)> finished = {};
  // In a resumed sweep, instead of those three: the point was finished before. And instead of finished: the point has
  // ended by an error.
  std::function<void(std::size_t point, std::size_t points, const SweepPoint&)> kept = {};
  std::function<void(std::size_t point, const std::string& why)> broken = {};
};

/// Runs everything and writes it to `folder`, for use in `target`: for a run scenario.json, progress.csv, agents.csv,
/// links.csv, summary.json and, if asked for, trace.jsonl and timeline.json; for a sweep one such folder for each point
/// (000, 001, ...), scenario.json, sweep.csv with a row for each point (its values and its last row of progress), and
/// sweep.json. Throws OutputError when a file cannot be written, and what run() throws.
Executed execute_into(Plan& plan, const std::filesystem::path& folder, const std::filesystem::path& target,
                      const ExecuteOptions& options);

/// The same into a folder that appears only when everything is done. Throws ScenarioError, too; an OutputError for a
/// folder that must not be replaced comes before anything is read.
Executed execute(const ScenarioFile& file, const std::filesystem::path& out, const ExecuteOptions& options);

/// The same for a sweep, which may be a single point; finished points are kept if it is interrupted
/// (sweep_checkpoint.hpp), and the next call resumes it. A point that ends by an error of an agent has an error.txt in
/// its folder and "error" in the column `stop`, and the others go on.
Executed execute_sweep(const ScenarioFile& file, const std::filesystem::path& out, const ExecuteOptions& options);

/// The same for the points of any plan, for a folder that check_replaceable() allows.
Executed execute_kept(Plan& plan, const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
