#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/sweep_points.hpp"
#include "scenarios/sweep/parallel_points.hpp"
#include "scenarios/sweep/values_from.hpp"

namespace lagnet {

struct Executed {
  std::size_t runs = 0;
  std::size_t failed = 0;  // diverged, ended by a deadlock or by an error
  enum class Published { now, before, not_yet } published = Published::now;
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

/// The scenarios of a file's points. Throws Diagnosed with the problems of all of them.
std::vector<Scenario> read_points(const ScenarioFile& file, const std::vector<SweepPoint>& points);

/// The runs that a scenario file describes, and the files about all of them.
struct PlannedPoints {
  std::vector<SweepPoint> points;
  std::vector<std::string> names;                                 // of their folders
  const char* facts = "sweep.json";                               // the file of facts beside them
  std::function<void(const Plan&, const CompletePoints&)> write;  // the files beside these
};

/// A scenario file with its runs, all of them read, and by make() assembled once, so that a mistake in the last point
/// of a long sweep shows before the first one runs. The points are assembled side by side, the first one alone, since
/// the memory that the others may take is guessed from it. Data are kept for all points if there is one data set or
/// they fit into half of that memory. Throws Diagnosed with the problems of all points.
struct Plan : PlannedPoints {
  /// Whether points that differ only in time (values_from.hpp) share everything except network and speeds.
  enum class Alike { apart, shared };
  /// Whether make() is a part of the construction.
  enum class Making { now, later };
  /// The points of its sweep.
  explicit Plan(const ScenarioFile& scenario_file, const RunSettings& settings_given = {}, Alike alike = Alike::apart,
                Making making = Making::now);
  Plan(const ScenarioFile& scenario_file, PlannedPoints planned, const RunSettings& settings_given,
       Alike alike = Alike::apart, Making making = Making::now);
  /// Assembles the points, once; this takes time and memory. Before, only the read scenarios are known.
  void make();
  /// The digests of the files that the points were made from.
  const FileDigests& read() const { return read_; }
  /// The experiment of a point, moved out; that of a single run was made when its problems were searched.
  Experiment take(std::size_t point);
  /// The first point that differs from this one in time alone, if such points share anything; else the point itself.
  std::size_t first_alike(std::size_t point) const { return firsts_.empty() ? point : firsts_[point]; }
  /// The file of facts of a single run, which has no others beside it.
  static constexpr const char* facts_of_run = "summary.json";
  bool is_run() const { return facts == std::string(facts_of_run); }
  bool is_sweep() const { return points.size() > 1 || !points.front().values.empty(); }

  ScenarioFile file;
  std::vector<Scenario> scenarios;  // of the points
  ExperimentCache cache;
  std::vector<MemoryNeed> needs;        // of the points
  std::vector<ValuesFrom> values_from;  // of the points
  RunSettings settings;                 // what was given, less the memory of the data that are kept

 private:
  void find_alike();
  void note(const FileDigests& read);
  std::shared_ptr<const Experiment> origin(std::size_t first);

  FileDigests read_;                 // guarded by keeping_ while points are made
  std::optional<Experiment> first_;  // of a single run; what a sweep's points are made of would pile up
  std::vector<std::size_t> firsts_;  // first_alike() of each point; empty: all are apart
  std::vector<bool> shares_;         // of each point, whether there is another one like it
  ComputeOnce<std::weak_ptr<const Experiment>> origins_;  // of points that are alike
  std::mutex keeping_;
  std::shared_ptr<const Experiment> newest_origin_;  // so that it is there for the next point as well
};

/// What a Plan refuses, at a fraction of its time: each data set is made once, one at a time, and of points with the
/// data of a generator that differ in the seed alone the first has its data made and divided, the others have what they
/// draw of topology, network and participation looked at; so have points with classes in Python that nobody makes here.
/// Throws Diagnosed with the problems of all points.
void check_points(const ScenarioFile& file, const std::vector<SweepPoint>& points);

}  // namespace lagnet
