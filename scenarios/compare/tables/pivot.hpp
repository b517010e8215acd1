#pragma once

#include <string>
#include <vector>

#include "scenarios/compare/tables/compared_series.hpp"
#include "scenarios/compare/tables/result_table.hpp"
#include "sim/base/remark.hpp"

/// The winner at each value of a key: `lagnet compare --by network.latency_ms`.
namespace lagnet {

struct Pivot {
  std::string key;          // last part of the pointer: "latency_ms"
  bool has_choice = false;  // whether there are two series or more without the key
  /// For each level and value of the key: the median cost of each series without that key, who wins, and how many times
  /// more the next one pays, with its interval. A tidy table has a row for each number.
  TablePair costs;
  /// Where the medians of two series are equal, on the line between neighboring values of the key. A cost that is
  /// affine in the key, as simulated time is in a latency, crosses exactly there.
  TablePair swaps;
  // By level: "to 1e-2: lattice at latency_ms = 1 .. 100, complete at 200", and "crossing at latency_ms = 139 ..".
  std::vector<std::string> sentences;
  Remarks remarks;                 // what a reader has to know of the runs of some row, each once
  std::vector<std::string> never;  // levels that nobody reaches, and series that reach one nowhere
};

/// The pivot of runs over `options.by`, costs in `options.against`. Runs are compared within a row only. Throws
/// OutputError for a key that no run has, and as compared_series does for each row.
Pivot pivot_table(const std::vector<RecordedRun>& runs, const CompareOptions& options);

}  // namespace lagnet
