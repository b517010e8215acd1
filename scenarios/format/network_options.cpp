#include "scenarios/format/network_options.hpp"

namespace lagnet {

void check_network(const NetworkOptions& options, Diagnostics& diagnostics) {
  CheckReport report("/network", diagnostics);
  check_bounds(report, "latency_ms", options.latency_ms, within(0, longest_latency_ms));
  check_bounds(report, "jitter_ms", options.jitter_ms, within(0, longest_latency_ms));
  check_bounds(report, "bandwidth_bytes_per_s", options.bandwidth_bytes_per_s, at_least(1));
  if (options.up_bytes_per_s) check_bounds(report, "up_bytes_per_s", *options.up_bytes_per_s, at_least(1));
  if (options.down_bytes_per_s) check_bounds(report, "down_bytes_per_s", *options.down_bytes_per_s, at_least(1));
}

}  // namespace lagnet
