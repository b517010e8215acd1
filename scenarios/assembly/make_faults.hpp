#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "scenarios/format/network_options.hpp"
#include "sim/world/faults.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// The rules that a network's options stand for. Diagnostics with agents or links that do not exist are added.
std::vector<std::shared_ptr<const FaultRule>> make_faults(const NetworkOptions& options, const Network& network,
                                                          const AgentNames& names, Diagnostics& diagnostics);
Repair make_repair(const std::optional<RetransmitOptions>& options);

}  // namespace lagnet
