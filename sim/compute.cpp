#include "sim/compute.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace lagnet {

ComputeModel::ComputeModel(std::vector<double> speed_flops_per_s) : speed_(std::move(speed_flops_per_s)) {
  for (std::size_t agent = 0; agent < speed_.size(); ++agent)
    if (!(speed_[agent] > 0))
      throw std::invalid_argument(
          fmt::format("agent {}: expected a speed above 0 flops per second, found {}", agent, speed_[agent]));
}

}  // namespace lagnet
