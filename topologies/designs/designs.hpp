#pragma once

#include <cstdint>
#include <vector>

#include "topologies/designs/delays.hpp"

namespace lagnet {

/// The agent from which the farthest other one is nearest, the lowest of several: the center of the star with the
/// shortest longest link.
AgentId best_center(const Delays& delays);

/// The spanning tree with the least total length, by Prim (Boost.Graph). No connected graph has a shorter longest link,
/// so that none has shorter rounds of one exchange where links share nothing: Marfoq, Xu, Neglia, Vidal (2020),
/// section 3. O(m^2 log m).
Topology minimum_spanning_tree(const Delays& delays);

/// A spanning tree in which no agent has more than `degree` neighbors, for agents whose links share an interface.
/// Prim's algorithm that passes over agents whose links are used up, as in the delta-PRIM of Marfoq, Xu, Neglia, Vidal
/// (2020). It depends on where it begins: up to 256 agents, each is tried and the tree with the least link_lengths()
/// taken; of more, best_center() is. With the largest degree of the minimum spanning tree, or more, it is that tree.
/// The best tree is NP-hard to find. Throws Diagnosed unless `degree` is at least 2, or 1 for two agents.
Topology bounded_degree_tree(const Delays& delays, std::int64_t degree);

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
