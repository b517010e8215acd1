#pragma once

#include <string>

#include "scenarios/assembly/experiment.hpp"

/// The names of agents, and of what messages share, that people know.
namespace lagnet {

/// "server", "agent 3", or the name of its node.
std::string name_of_agent(const Experiment& experiment, AgentId agent);

/// "agent 3's up-link", "link 0 -> 3", "wan left -> right", "cell".
std::string name_of_resource(const Experiment& experiment, ResourceId resource);

}  // namespace lagnet
