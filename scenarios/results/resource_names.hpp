#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scenarios/assembly/experiment.hpp"

/// The names of agents, and of what messages share, that people know.
namespace lagnet {

/// "server", "agent 3", or the name of its node; `nodes`: of each agent, empty if they have none.
std::string name_of_agent(const std::vector<std::string>& nodes, bool has_server, AgentId agent);
std::string name_of_agent(const Experiment& experiment, AgentId agent);

/// "agent 3's up-link", "link 0 -> 3", "wan left -> right", "cell".
std::string name_of_resource(const Network& network, const std::vector<std::string>& nodes, bool has_server,
                             ResourceId resource);
std::string name_of_resource(const Experiment& experiment, ResourceId resource);

/// up, down, link, inner_link or medium.
std::string_view kind_of_resource(const Network& network, ResourceId resource);

}  // namespace lagnet
