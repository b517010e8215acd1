#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace lagnet {

/// What a golden scenario's run gave, against NAME.golden.json beside NAME.json.
struct GoldenVerdict {
  std::string name;
  // "objective: 3 of 11 rows differ, first row 9 (round 8): expected 0.5, found 0.25"; of what is no row its JSON
  // pointer, "/totals/flops: .."; of a sweep behind "point 005: ".
  std::vector<std::string> differences;
};

/// Runs every scenario of a folder twice, with one thread and with two, and compares: integers and texts (the trace
/// hash among them) exactly, reals within the relative tolerance that the golden states. With `update`, writes the
/// goldens from the run with one thread instead, all or none; the tolerance that stood there stays. Throws
/// ScenarioError, and OutputError when a golden cannot be read or written.
std::vector<GoldenVerdict> check_goldens(const std::filesystem::path& folder, bool update);

}  // namespace lagnet
