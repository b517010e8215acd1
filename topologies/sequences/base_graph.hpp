#pragma once

#include <cstdint>
#include <vector>

#include "topologies/topology.hpp"

namespace lagnet {

/// The rounds of the Base-(k+1) Graph, which average m vectors exactly: the product of all W^t is 11'/m. The weights of
/// edges are the entries of W^t; no agent has more than k neighbors in a round. Source: Y. Takezawa, R. Sato, H. Bao,
/// K. Niwa, M. Yamada, "Beyond exponential graph: communication-efficient topologies for decentralized learning via
/// finite-time convergence", NeurIPS 2023, algorithms 1 to 3.
///
///     H(V), |V| with prime factors of at most k + 1 alone: a round for each of the factors, whose cliques average (1)
///     S(V), any |V|: blocks of |V| written in base k + 1 average by H; then each block passes on to the later ones
///     what they lack, and its parts average by H                                                                   (2)
///     m = p q, p the largest divisor that (1) does: q agents by S, p times, then p agents by H, q times; or S of all,
///     if that takes fewer rounds                                                                                   (3)
///
/// Agents at least 1, k at least 1.
std::vector<Topology> base_graph_rounds(std::int64_t agents, std::int64_t k);

}  // namespace lagnet
