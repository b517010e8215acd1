#include "scenarios/format/network_options.hpp"

namespace lagnet {

void check_network(const NetworkOptions& options, Problems& problems) {
  CheckReport report("/network", problems);
  check_drawn(report, "latency_ms", options.latency_ms, within(0, longest_latency_ms));
  check_drawn(report, "jitter_ms", options.jitter_ms, within(0, longest_latency_ms));
  check_drawn(report, "bandwidth_bytes_per_s", options.bandwidth_bytes_per_s, at_least(1));
  if (options.up_bytes_per_s) check_drawn(report, "up_bytes_per_s", *options.up_bytes_per_s, at_least(1));
  if (options.down_bytes_per_s) check_drawn(report, "down_bytes_per_s", *options.down_bytes_per_s, at_least(1));
}

}  // namespace lagnet
