#pragma once

#include <vector>

#include "topologies/designs/delays.hpp"

namespace lagnet {

/// The order of the agents on a short ring, from agent 0 on (m). It begins with the tour of boost::metric_tsp_approx,
/// which is at most twice as long as the shortest one where delays obey the triangle inequality. Then pairs of links
/// are exchanged (2-opt: G. Croes, "A method for solving traveling-salesman problems", 1958) as long as the longest
/// link gets shorter, or stays and the total gets shorter, and the total does not exceed that of the first tour, so
/// that twice the shortest tour remains a bound. The longest link comes first because in a ring that is used both ways
/// neighbors wait for each other over every link: a round takes as long as the longest one. Tours that begin at each of
/// the first 64 agents are improved, and the one with the least link_lengths() is taken. O(m^2) a pass.
std::vector<AgentId> short_tour(const Delays& delays);

/// The ring in this order; two agents share one link.
Topology short_ring(const Delays& delays);

}  // namespace lagnet
