#include "scenarios/format/compute_options.hpp"

#include <fmt/format.h>

namespace lagnet {

void check_compute(const ComputeOptions& options, Diagnostics& diagnostics) {
  CheckReport report("/compute", diagnostics);
  check_bounds(report, "speed_flops_per_s", options.speed_flops_per_s, at_least(slowest_flops_per_s));
  if (const auto* some = options.speed_flops_per_s.options_as<SpeedClassesOptions>())
    for (std::size_t i = 0; i < some->classes.size(); ++i)
      check_bounds(report, fmt::format("speed_flops_per_s/classes/{}/speed_flops_per_s", i),
                   some->classes[i].speed_flops_per_s, at_least(slowest_flops_per_s));
  if (const auto* clock = options.clock.options_as<PeriodicClockOptions>())
    check_bounds(report, "clock/period_ms", clock->period_ms, at_least(1e-6));  // a nanosecond
  if (options.memory_bandwidth_bytes_per_s)
    check_bounds(report, "memory_bandwidth_bytes_per_s", *options.memory_bandwidth_bytes_per_s,
                 at_least(slowest_bytes_per_s));
}

}  // namespace lagnet
