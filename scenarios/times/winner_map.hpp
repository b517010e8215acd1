#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// Values of a key of the scenario, ascending; the key is one that decides about time alone.
struct MapAxis {
  std::string pointer;  // "/network/latency_ms"
  std::vector<double> values;
};

/// Who is first to a level in each cell of two keys.
struct WinnerMap {
  MapAxis across, down;
  std::vector<std::string> series;
  /// Simulated seconds to the level of each series, in the median of its seeds; infinite where it does not get there.
  /// Cells row by row: of the cell (column, row) at row * across.values.size() + column (cells x series).
  std::vector<std::vector<double>> seconds;
  /// The same to the last row that is short of the level, where rows leave out rounds: it may be there from then on.
  std::vector<std::vector<double>> before;

  const std::vector<double>& at(std::size_t column, std::size_t row) const {
    return seconds[row * across.values.size() + column];
  }
};

/// Runs that differ in network and compute alone have the same values, so that one of them stands for all: from a few
/// runs with numbers, the times of every cell. They follow from the steps of a round where that is so, and from the
/// events of the run, without its numbers, elsewhere. `to` is a level of the column, reached from above or, if
/// `rising`, from below. On `jobs` threads; `row_done` is told how many rows are done, one call at a time. Throws
/// ScenarioError with the reason for each run whose values depend on time, and for values of the keys that no scenario
/// takes; OutputError for a column that a run has not.
WinnerMap winner_map(const std::vector<RecordedRun>& runs, const MapAxis& across, const MapAxis& down,
                     const std::string& column, double to, bool rising, unsigned jobs,
                     const std::function<void(std::size_t)>& row_done);

}  // namespace lagnet
