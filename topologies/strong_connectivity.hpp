#pragma once

#include <string>

#include "topologies/topology.hpp"

namespace lagnet {

/// Who cannot reach whom: "the digraph has 3 strongly connected components, agents [4], [7] cannot reach agent 0;
/// expected one component". Of many components and agents the first are listed. Empty for a strongly connected digraph.
std::string why_not_strongly_connected(const Topology& digraph);

}  // namespace lagnet
