#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/run/run.hpp"
#include "scenarios/sweep/parallel_points.hpp"

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

struct Executed {
  std::size_t runs = 0;
  std::size_t failed = 0;  // diverged, ended by a deadlock or by an error
};

/// The points of a plan when all have run, and where files beside their folders go.
struct CompletePoints {
  std::vector<std::filesystem::path> folders;
  Executed done;
  std::filesystem::path folder, target;  // files are written to the folder, for use in the target
};

struct Plan;

/// The folder's name of a point, counted from 0: 007, and longer if there are more than 1,000 points, so that folders
/// sort like their points.
std::string folder_of_point(std::size_t point, std::size_t points);

/// The runs that a scenario file describes, and the files about all of them.
struct PlannedPoints {
  std::vector<SweepPoint> points;
  std::vector<std::string> names;                                 // of their folders
  std::function<void(const Plan&, const CompletePoints&)> write;  // the files beside these
};

/// A scenario file with its runs, all of them read and assembled once, so that a mistake in the last point of a long
/// sweep shows before the first one runs. The points are assembled side by side, the first one alone, since the memory
/// that the others may take is guessed from it. Data are kept for all points if there is one data set or they fit into
/// half of the capacity's memory. Throws ScenarioError with the problems of all points.
struct Plan : PlannedPoints {
  /// The points of its sweep.
  explicit Plan(const ScenarioFile& scenario_file, const MemoryBudget& capacity_given = {});
  Plan(const ScenarioFile& scenario_file, PlannedPoints planned, const MemoryBudget& capacity_given);
  /// The experiment of a point, moved out; that of a single run was made when its problems were searched.
  Experiment take(std::size_t point);
  bool is_sweep() const { return points.size() > 1 || !points.front().values.empty(); }

  ScenarioFile file;
  std::vector<Scenario> scenarios;  // of the points
  ExperimentCache cache;
  std::vector<MemoryNeed> needs;  // of the points
  MemoryBudget capacity;          // for the points: what was given, less what the data take that are kept

 private:
  std::optional<Experiment> first_;  // of a single run; what a sweep's points are made of would pile up
};

/// What a Plan refuses, at a fraction of its time: each data set is made once, one at a time, and of points with the
/// data of a generator that differ in the seed alone the first has its data made and divided, the others have what they
/// draw of topology, network and participation looked at. Throws ScenarioError with the problems of all points.
void check_points(const ScenarioFile& file, const std::vector<SweepPoint>& points);

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
