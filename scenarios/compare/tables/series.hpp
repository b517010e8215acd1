#pragma once

#include <string>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// Runs that differ in their seeds alone: one method under one set of circumstances.
struct Series {
  std::string name;                      // what tells it from the others: "netlasso agents=16"
  std::vector<const RecordedRun*> runs;  // by ascending seed, each seed once

  /// Null if no run has that seed.
  const RecordedRun* find(std::uint64_t seed) const;
};

/// Groups runs to series, in the order in which their first runs come. Names, descriptions, sources, what
/// is traced, expected, drawn or tuned do not tell series apart. Throws OutputError with one line if two runs have the
/// same scenario and seed, or if not all minimize the same objective over the same data; the runs must outlive the
/// series.
std::vector<Series> make_series(const std::vector<RecordedRun>& runs);

}  // namespace lagnet
