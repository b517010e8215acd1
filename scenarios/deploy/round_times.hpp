#pragma once

#include <cstddef>

#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// The times of rounds of a run in real time, beside the simulated ones of the same scenario: from one recorded row to
/// the next, per round.
struct RoundTimes {
  std::size_t rounds = 0;              // that both have
  double real_s = 0, simulated_s = 0;  // of a round: medians
  /// |real - simulated| / simulated of a round.
  double error_median = 0, error_p95 = 0;
  bool same_values = true;  // the objectives of all these rounds are the same bits
};

/// Throws OutputError where they have fewer than two rounds in common, or a simulated round takes no time.
RoundTimes compare_round_times(const RecordedRun& real, const RecordedRun& simulated);

}  // namespace lagnet
