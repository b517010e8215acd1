#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <stop_token>
#include <vector>

#include "scenarios/sweep/point_schedule.hpp"

namespace lagnet {

/// What runs may use of the machine; no result depends on it. Code that runs several points takes all of it. A single
/// run (RunOptions), the second run of a golden, and a deployed process take threads alone: there are no other points.
struct RunSettings {
  unsigned threads = 1;                              // of each point
  unsigned jobs = 1;                                 // points that run at a time
  Bytes memory = std::numeric_limits<Bytes>::max();  // of all of these, by their estimates
};

/// What a user asked for, within the memory budget. Without jobs: the cores that this process may use, divided by the
/// threads of each point; at least 1.
RunSettings asked_settings(unsigned threads, std::optional<unsigned> jobs);

/// Does work(0) .. work(n-1) as PointSchedule says, n the number of needs. With one job it is done in order on the
/// calling thread. Else a point has a thread of its own, which ends with it, so that memory which a thread keeps for
/// itself is given back; but of points that need at most 64 KiB a thread does up to 16, since of very small ones a
/// thread for each takes a fifth of the processor time. If one throws, later ones do not start any more, the stop token
/// of those that run already asks them to end, and all before it are done. Then the exception of the first point that
/// threw is thrown again: the one that one job would have met.
void run_in_parallel(const std::vector<MemoryNeed>& needs, const RunSettings& settings,
                     const std::function<void(std::size_t point, const std::stop_token& unwanted)>& work);

}  // namespace lagnet
