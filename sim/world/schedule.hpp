#pragma once

#include <optional>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// A bandwidth, latency or probability over simulated time: piecewise constant, each value from its time on.
class Schedule {
 public:
  /// `values` one for each of the ascending `times`; before the first time the first value holds. After `period`, which
  /// is later than all times, everything comes again. Throws std::invalid_argument for other lists.
  Schedule(std::vector<Time> times, std::vector<double> values, std::optional<Duration> period = {});

  double at(Time t) const;
  /// The first moment after `t` at which another piece begins, or never().
  Time next_change(Time t) const;
  /// When `bytes` that begin at `begin` are through if the values are bytes per second: with 0 they stand. A piece that
  /// ends in time is rounded to the nearest ns. never() if the values end with 0 before.
  Time leaves(Time begin, double bytes) const;

 private:
  std::size_t piece(Time within) const;
  Time start_of_period(Time t) const;

  std::vector<Time> times_;
  std::vector<double> values_;
  std::optional<Duration> period_;
};

}  // namespace lagnet
