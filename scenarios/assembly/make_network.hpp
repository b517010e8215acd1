#pragma once

#include <string>

#include "scenarios/format/network_options.hpp"
#include "sim/world/network.hpp"

namespace lagnet {

/// The links of a topology, with what the scenario says of them: latency to the nearest nanosecond, the draws of a link
/// by its ends. Throws ScenarioError with every problem below /network; `shown` names
/// the file in them.
Network make_network(const Topology& topology, const NetworkOptions& options, std::uint64_t seed,
                     const std::string& shown);

/// The links alone, by which faults can be checked where the network cannot be made.
Network bare_network(const Topology& topology);

}  // namespace lagnet
