#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/files/folder_lock.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/sweep/parallel_points.hpp"
#include "scenarios/sweep/plan.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

struct ExecuteOptions;

/// Receives events while points run, one call at a time, from the threads that run them: for each point that it has
/// started, then rows, then that it has finished or failed. With several jobs the calls for different points are mixed,
/// in an order that may differ from run to run.
class RunWatcher {
 public:
  virtual ~RunWatcher() = default;
  /// These points are to run; the plan outlives the calls.
  virtual void planned(const Plan&) {}
  /// The first point of a sweep is about to start: these are left to run.
  virtual void begins(Plan&, const std::vector<std::size_t>& /*left*/, const ExecuteOptions&) {}
  virtual void started(std::size_t /*point*/, const Experiment&) {}
  virtual void recorded(std::size_t /*point*/, const Row&) {}
  /// Something is to be known while the point runs.
  virtual void warned(std::size_t /*point*/, const Remark& /*what*/) {}
  virtual void finished(std::size_t /*point*/, const Experiment&, const Outcome&) {}
  /// The point has ended by an error.
  virtual void failed(std::size_t /*point*/, const std::string& /*why*/) {}
  /// In a resumed sweep, instead of all these: the point was finished before, with this summary.json; null if it ended
  /// by an error.
  virtual void skipped(std::size_t /*point*/, const Json& /*summary*/) {}
  /// In a part of a sweep, instead of all these: the point belongs to another one.
  virtual void left_out(std::size_t /*point*/) {}
};

struct ExecuteOptions {
  RunSettings settings = {};
  RunWatcher* watcher = nullptr;   // may be null
  bool replaces = false;           // what is in the folder, whatever it is of; it runs again
  std::optional<Share> part = {};  // of a sweep: these points alone, and nothing is published

  bool has(std::size_t point) const { return !part || part->has(point); }
};

/// Runs everything and writes it to `folder`, for use in `target`: for a run scenario.json, progress.csv, agents.csv,
/// links.csv, summary.json and, if asked for, trace.jsonl and timeline.json; for a sweep one such folder for each point
/// (000, 001, ...), scenario.json, sweep.csv with a row for each point (its values and its last row of progress), and
/// sweep.json. Throws OutputError when a file cannot be written, and what run() throws; in a sweep an agent's error is
/// the result of its point instead: see execute_plan().
Executed execute_into(Plan& plan, const std::filesystem::path& folder, const std::filesystem::path& target,
                      const ExecuteOptions& options);

/// Makes a plan and runs it: a single run into a folder that appears only when everything is done, other points so that
/// finished ones are kept if this is interrupted (sweep_checkpoint.hpp), and the next call goes on. A point of these
/// that ends by an error of an agent has an error.txt in its folder, beside the rows that were recorded before, and
/// "error" in the column `stop`; the others go on. A part leaves its points finished beside the folder, and the next
/// call without a part publishes all of them. Where the results of the same work are there already, nothing runs
/// (earlier_results.hpp). Throws Diagnosed, too; an OutputError for a folder that must not be replaced comes before
/// data are read.
Executed execute_plan(Plan& plan, const std::filesystem::path& out, const ExecuteOptions& options);

/// The same for the run or the sweep of a file.
Executed execute(const ScenarioFile& file, const std::filesystem::path& out, const ExecuteOptions& options);

/// The same for a sweep, which may be a single point. Of points that are alike one computes, and the others take its
/// values.
Executed execute_sweep(const ScenarioFile& file, const std::filesystem::path& out, const ExecuteOptions& options,
                       Plan::Alike alike = Plan::Alike::apart);

/// Gives the values of recorded runs, `folder` being that of a run or a sweep, the times of another network: runs the
/// events of their scenario with these settings, every point of which has the values of one of the runs, and writes it
/// as execute() does. A point of a sweep that comes to rounds which the recorded run has not is computed. Throws
/// OutputError for the folders, and where a single run comes to such a round; Diagnosed with the reason for each
/// point that has no run.
Executed execute_retimed(const std::filesystem::path& folder, const std::vector<std::string>& settings,
                         const std::filesystem::path& out, const ExecuteOptions& options);

}  // namespace lagnet
