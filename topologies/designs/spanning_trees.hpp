#pragma once

#include <cstdint>

#include "topologies/designs/delays.hpp"

namespace lagnet {

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

}  // namespace lagnet
