#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/run/outcome.hpp"

namespace lagnet {

/// What a golden scenario's run gave, against NAME.golden.json beside NAME.json.
struct GoldenVerdict {
  std::string name;
  // "objective: 3 of 11 rows differ, first row 9 (round 8): expected 0.5, found 0.25"; of what is no row its JSON
  // pointer, "/totals/flops: .."; of a sweep behind "point 005: ".
  std::vector<std::string> differences;
};

struct GoldenOptions {
  bool update = false;                       // writes the goldens from the first run instead, all or none
  unsigned threads = 2;                      // of the second run
  std::function<void(const Row&)> row = {};  // takes each row of each run when it is recorded
};

/// Runs every scenario of a folder twice, with one thread and with several, and compares: integers and texts (the trace
/// hash among them) exactly, reals within the relative tolerance that the golden states. Of rows it compares the
/// columns that the golden lists, by name. A tolerance that stands in a golden stays. A golden whose scenario is gone
/// differs. Throws ScenarioError, and OutputError when a golden cannot be read or written, and where there is no folder
/// or no scenario in it.
std::vector<GoldenVerdict> check_goldens(const std::filesystem::path& folder, const GoldenOptions& options);

}  // namespace lagnet
