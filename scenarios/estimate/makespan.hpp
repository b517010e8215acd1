#pragma once

#include <vector>

#include "scenarios/sweep/parallel_points.hpp"

namespace lagnet {

/// When the last of these points ends if run_in_parallel() starts them at 0, each taking so many seconds.
double makespan(const std::vector<double>& seconds, const std::vector<MemoryNeed>& needs, const MemoryBudget& budget);

}  // namespace lagnet
