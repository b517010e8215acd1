#pragma once

#include "topologies/designs/delays.hpp"

namespace lagnet {

/// The agent from which the farthest other one is nearest, the lowest of several: the center of the star with the
/// shortest longest link.
AgentId best_center(const Delays& delays);

}  // namespace lagnet
