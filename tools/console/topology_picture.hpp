#pragma once

#include <string>

#include "topologies/topology.hpp"

namespace lagnet::tools {

/// A topology in characters: up to 32 agents as an adjacency matrix, more as a matrix of counts between groups of
/// agents.
std::string picture(const Topology& topology);

}  // namespace lagnet::tools
