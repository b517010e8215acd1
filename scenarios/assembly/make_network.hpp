#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/network_options.hpp"
#include "sim/base/remark.hpp"
#include "sim/world/faults.hpp"
#include "sim/world/network.hpp"
#include "sim/world/world_model.hpp"

namespace lagnet {

/// The links of a topology, with what the scenario says of them: latency to the nearest nanosecond, the draws of a link
/// by its ends. What the file of the topology says of a link or an interface holds before the network's options, and
/// `links` and `interfaces` of the options hold before the file. Throws Diagnosed with every problem below
/// /network; `shown` names the file in them. `remarks` takes what the user should know of the files that were read.
Network make_network(const Topology& topology, const NetworkOptions& options, std::uint64_t seed,
                     const std::string& shown, Remarks* remarks = nullptr);

/// Only the links, to check faults if the network itself is invalid.
Network bare_network(const Topology& topology);

/// The rules that a network's options stand for. Diagnostics with agents or links that do not exist are added.
std::vector<std::shared_ptr<const FaultRule>> make_faults(const NetworkOptions& options, const Network& network,
                                                          const AgentNames& names, Diagnostics& diagnostics);

Repair make_repair(const std::optional<RetransmitOptions>& options);

/// Sharing, faults and repair: what the section says of a world beside its links.
WorldModel make_network_model(const NetworkOptions& options, const Network& network, const AgentNames& names,
                              Diagnostics& diagnostics);

}  // namespace lagnet
