#pragma once

#include <cstdint>
#include <string>

#include "scenarios/format/kinds/claim_kinds.hpp"
#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

/// The largest step of a column from one recorded row to the next in a direction, as a share of the number before; 0 if
/// there is none. `where`: ", ring in round 20".
struct LargestStep {
  double share = 0;
  std::string where;
};

/// Rows before `from_round` are ignored. Throws OutputError where fewer than two are left.
LargestStep largest_step(const RecordedRun& run, const std::string& metric, Direction direction,
                         std::int64_t from_round);

}  // namespace lagnet
