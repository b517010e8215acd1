#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/explain/faster_worlds.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/sweep/execute.hpp"

namespace lagnet {

/// What everybody waited for in a recorded run, and what other resources would give.
struct Explanation {
  RecordedRun recorded;
  std::shared_ptr<const Experiment> experiment;  // of the path
  PathSums path;                                 // up to the last recorded round, or of a whole run to its last report
  struct Other {
    FasterWorld world;
    Duration sooner;  // the same round is there, below 0: later
  };
  std::vector<Other> others;
  std::vector<std::string> why_whole_run;  // why its times are not known without its numbers; none if they are
};

/// Gets what is done now, and how far it is.
using ExplainStep = std::function<void(const std::string&)>;

/// Repeats the events of the run in a folder without numbers, and again in each world with something doubled; where
/// values depend on times it runs all of it again, and tries no other world. Throws OutputError for the folder, and
/// where the run is another one now; Diagnosed; and what run() throws.
Explanation explain(const std::filesystem::path& folder, const ExplainStep& step);

/// Three sentences: what everybody waited for, who it was, how long it took; the longest parts of the path, ten at
/// most; and what doubling gives, or why that is not known. Lines have 80 columns.
std::string text_of(const Explanation& explanation);
Json as_json(const Explanation& explanation);

}  // namespace lagnet
