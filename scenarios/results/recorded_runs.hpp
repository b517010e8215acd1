#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/json/document.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/swept_columns.hpp"

/// The files of runs, read back from their folders for `lagnet compare` and `lagnet report`.
namespace lagnet {

struct ScenarioFile;

struct RecordedRun {
  std::filesystem::path folder;  // as given, with the point's name if it belongs to a sweep: "runs/ring/003"
  std::string series;            // the name of its series: the runs that differ only in their seeds
  std::string label;             // another one for every run that is read with it: "extra seed=3"
  Json scenario;                 // resolved, as in the folder: relative paths in it start there
  Json summary;
  ProgressTable progress;
  PointValues point;  // pointers of the sweep, with the values that the run's scenario has; none of a single run

  std::uint64_t seed() const { return scenario.at("seed").get<std::uint64_t>(); }
  /// It has rows, and no results yet: the summary says what follows from the last row.
  bool is_under_way() const { return Document(summary).text("/status") == status_under_way; }
  static constexpr const char* status_under_way = "running";
};

struct RecordedRuns {
  std::vector<RecordedRun> runs;    // in the order given, those of a sweep in the order of its points
  std::vector<std::string> broken;  // points that ended by an error, which have no results: "runs/ring/003: why"
};

/// Whether a point of a sweep is wanted, by the values that the sweep sets for it: the files of other points are not
/// read.
using WantedPoint = std::function<bool(const PointValues& values)>;

/// Reads the folders of runs, and of sweeps with all their points, or those that are wanted. Throws OutputError with
/// one line for a folder that is not there, empty, something else, not complete, damaged or given twice, if two runs
/// have read other contents from one file, and if there is no run in them.
RecordedRuns read_recorded_runs(const std::vector<std::filesystem::path>& given, const WantedPoint& is_wanted = {});

/// Receives runs one after the other, so that very many need not be in memory at once. They have no labels.
struct RunVisitor {
  std::function<void(RecordedRun&& run)> complete;
  std::function<void(const std::filesystem::path& point, const std::string& why)> broken;  // by an error
};
/// The same, and it may find no run.
void visit_recorded_runs(const std::vector<std::filesystem::path>& given, const WantedPoint& is_wanted,
                         const RunVisitor& visitor);

/// The scenarios of these runs, with nothing else read: of very many runs that takes seconds, and all files minutes.
void visit_recorded_scenarios(const std::vector<std::filesystem::path>& given,
                              const std::function<void(const Json& scenario)>& visit);

/// scenario.json or summary.json. Throws OutputError if it is no JSON object.
Json read_recorded_json(const std::filesystem::path& path);

/// Reads the folder of one run or point. It has no label.
RecordedRun read_recorded_run(const std::filesystem::path& folder);

/// The run's place in a sweep over these pointers.
void set_point(RecordedRun& run, const std::vector<std::string>& pointers);

/// Gives runs their series and labels, which distinguish them.
void label_runs(std::vector<RecordedRun>& runs);

/// A column of a run. Throws OutputError with the nearest name and the list of those that there are.
const std::vector<double>& recorded_column(const RecordedRun& run, std::string_view column);

/// The scenario with the folder that its paths are relative to.
ScenarioFile scenario_file(const RecordedRun& run);

/// The scenario with paths that do not depend on where the folder is: absolute ones.
Json rooted_scenario(const RecordedRun& run);

/// The run's differences from others, except its seed: circumstances() of its scenario, and "runtime" if it was not
/// simulated.
Json circumstances_of(const RecordedRun& run);

}  // namespace lagnet
