#pragma once

#include "algorithms/interface/algorithm.hpp"
#include "scenarios/run/progress_table.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

/// What a run found, for runs with the same values in other times.
struct RecordedValues {
  ProgressTable progress;  // with a row at least, of ascending rounds
  ErrorScale error_scale;  // without the minimizer

  Round last_round() const { return static_cast<Round>(progress.find("round")->back()); }
};

/// Recorded values end before, or lie between, the rounds that a run has in other times.
class ValuesMissing : public RunError {
 public:
  using RunError::RunError;
};

}  // namespace lagnet
