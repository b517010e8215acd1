#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

/// The rows and points that a run or a sweep has written so far. Files are only read, and no lock is touched: watching
/// does not affect a run.
namespace lagnet {

struct UnfinishedRuns {
  RecordedRuns recorded;     // in the order of the points: finished ones, and those under way that have a row
  std::size_t points = 0;    // of the sweep; 1 for a single run; 0 as long as it is not known
  std::size_t finished = 0;  // points, broken ones among them
  double under_way = 0;      // rounds of the others that are done, in whole points
};

/// Reads the folder beside a target again and again, while it fills. The files of a finished point, which do not change
/// any more, are read once.
class UnfinishedReader {
 public:
  /// `folder`: that of a StagedFolder, "runs/ring.partial".
  explicit UnfinishedReader(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Changes when there is more to read than before, and costs little: names, times and sizes.
  std::string signature() const;
  /// Throws OutputError or std::filesystem::filesystem_error where a file changes its place in the midst of it: later
  /// there is more.
  UnfinishedRuns read();

 private:
  struct Place {
    std::string key;   // of the point; "" for a single run, whose files are in the folder itself
    std::string name;  // of its folder in the end
  };
  std::vector<Place> places() const;
  const RecordedRun& finished_run(const Place& place);

  std::filesystem::path folder_;
  std::map<std::string, std::pair<std::filesystem::file_time_type, RecordedRun>> finished_;  // by key
};

}  // namespace lagnet
