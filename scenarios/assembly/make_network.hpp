#pragma once

#include <string>

#include "scenarios/format/network_options.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// What of the section "network" is wrong whatever the topology: distributions that reach too far. Simulated time ends
/// after 292 years, so what takes forever cannot be simulated.
void check_network(const NetworkOptions& options, Problems& problems);

/// The links of a topology, with what the scenario says of them: latency to the nearest nanosecond, the draws of a link
/// by its ends. Throws ScenarioError with every problem below /network; `shown` names
/// the file in them.
Network make_network(const Topology& topology, const NetworkOptions& options, std::uint64_t seed,
                     const std::string& shown);

/// The links alone, by which faults can be checked where the network cannot be made.
Network bare_network(const Topology& topology);

}  // namespace lagnet
