#pragma once

#include <map>
#include <optional>
#include <vector>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

/// What a run found, for runs with the same values in other times: the numbers of its recorded rounds.
struct RecordedValues {
  struct OfRound {
    std::optional<double> objective;
    std::vector<std::optional<double>> metrics;  // the algorithm's own, then those that the scenario records
  };
  std::map<Round, OfRound> rounds;
  ErrorScale error_scale;  // without the minimizer
};

/// Recorded values end before, or lie between, the rounds that a run has in other times.
class ValuesMissing : public RunError {
 public:
  using RunError::RunError;
};

}  // namespace lagnet
