#pragma once

#include <vector>

#include "sim/types.hpp"

namespace lagnet {

/// How long an agent takes for a number of flops: flops/speed, to the nearest nanosecond.
class ComputeModel {
 public:
  /// One speed for each agent, in flops per second. Throws std::invalid_argument unless all are above 0; infinity is
  /// allowed and makes computation free.
  explicit ComputeModel(std::vector<double> speed_flops_per_s);

  AgentId agents() const { return static_cast<AgentId>(speed_.size()); }
  Duration time(AgentId agent, Flops flops) const {
    return Duration::seconds(static_cast<double>(flops) / speed_[agent]);
  }

 private:
  std::vector<double> speed_;
};

}  // namespace lagnet
