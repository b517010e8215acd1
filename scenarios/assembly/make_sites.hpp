#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/format/network_options.hpp"
#include "sim/accounts/costs.hpp"

/// Where agents are, and what they pay there.
namespace lagnet {

/// The site of each agent: the server's, if it has one of its own, and then agents in the order of sites. Empty without
/// sites. Counts that do not add up to the agents are reported below /network.
std::vector<SiteId> place_agents(const NetworkOptions& options, AgentId agents, Diagnostics& diagnostics);

/// The latencies of the network, where a matrix without places of agents goes by their sites.
Choice<LatencyFamily> latency_by_sites(const NetworkOptions& options, const std::vector<SiteId>& of_agents);

/// Prices and energies of a network that was made of these options.
CostModel make_costs(const NetworkOptions& options, const Network& network);

}  // namespace lagnet
