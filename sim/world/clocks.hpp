#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// When agents of asynchronous methods begin an update: at ticks of a clock that each has for itself. The n-th gap
/// between ticks belongs to (agent, n), whatever the agent does, so that two methods meet the same ticks.
class Clocks {
 public:
  /// Gaps are exponential with this mean: each agent ticks as a Poisson process.
  static Clocks poisson(Duration mean) { return Clocks(mean, {}); }
  /// An agent ticks after each of its periods.
  static Clocks periodic(std::vector<Duration> periods) { return Clocks({}, std::move(periods)); }

  /// From the n-th tick, or the start (n = 0), to the next one; at least 1 ns.
  Duration gap(std::uint64_t seed, AgentId agent, std::int64_t n) const;

 private:
  Clocks(Duration mean, std::vector<Duration> periods);

  Duration mean_;
  std::vector<Duration> periods_;  // by agent; empty where gaps are drawn
};

}  // namespace lagnet
