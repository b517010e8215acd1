#include "scenarios/format/network_options.hpp"

#include <fmt/format.h>

#include <string>

namespace lagnet {

void check_network(const NetworkOptions& options, Diagnostics& diagnostics) {
  CheckReport report("/network", diagnostics);
  check_bounds(report, "latency_ms", options.latency_ms, within(0, longest_latency_ms));
  check_bounds(report, "jitter_ms", options.jitter_ms, within(0, longest_latency_ms));
  check_bounds(report, "bandwidth_bytes_per_s", options.bandwidth_bytes_per_s, at_least(1));
  if (options.up_bytes_per_s) check_bounds(report, "up_bytes_per_s", *options.up_bytes_per_s, at_least(1));
  if (options.down_bytes_per_s) check_bounds(report, "down_bytes_per_s", *options.down_bytes_per_s, at_least(1));
}

void check_losses_repaired(const NetworkOptions& options, std::string_view since, Diagnostics& diagnostics) {
  if (options.retransmit) return;
  CheckReport report("/network", diagnostics);
  const std::string why = fmt::format(", or retransmit, since {}", since);
  if (options.loss_probability > 0) report("loss_probability", "0" + why, options.loss_probability);
  if (options.burst_loss) report("burst_loss", "null" + why, *options.burst_loss);
  if (!options.partitions.empty()) report("partitions", "none" + why, options.partitions);
  if (!options.outages.empty()) report("outages", "none" + why, options.outages);
}

}  // namespace lagnet
