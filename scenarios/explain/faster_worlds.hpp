#pragma once

#include <string>
#include <utility>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "sim/accounts/critical_path.hpp"

namespace lagnet {

/// Of a run's time; less is nothing.
constexpr double smallest_share = 0.0005;

/// A change of a scenario that makes one thing twice as fast: a speed, an interface, a link, a latency.
struct FasterWorld {
  std::string what;                                // "the server's up-link to 20 Mbit/s"
  std::vector<std::pair<std::string, Json>> keys;  // by JSON pointer, the value that replaces it
};

/// Those of what a path waited longest for, the longest first, of all latencies together, and of the slowest link
/// beside them. What changes with time, or has a limited queue, is left out: one number does not double it. `scenario`
/// is the one that the experiment was made of.
std::vector<FasterWorld> faster_worlds(const Experiment& experiment, const Json& scenario, const PathSums& path);

}  // namespace lagnet
