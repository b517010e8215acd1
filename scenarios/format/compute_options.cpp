#include "scenarios/format/compute_options.hpp"

#include <fmt/format.h>

namespace lagnet {

void check_compute(const ComputeOptions& options, Problems& problems) {
  CheckReport report("/compute", problems);
  check_drawn(report, "speed_flops_per_s", options.speed_flops_per_s, at_least(slowest_flops_per_s));
  if (const auto* some = options.speed_flops_per_s.options_as<SpeedClassesOptions>())
    for (std::size_t i = 0; i < some->classes.size(); ++i)
      check_drawn(report, fmt::format("speed_flops_per_s/classes/{}/speed_flops_per_s", i),
                  some->classes[i].speed_flops_per_s, at_least(slowest_flops_per_s));
  if (options.memory_bandwidth_bytes_per_s)
    check_drawn(report, "memory_bandwidth_bytes_per_s", *options.memory_bandwidth_bytes_per_s,
                at_least(slowest_bytes_per_s));
}

}  // namespace lagnet
