#pragma once

#include <optional>

#include "sim/base/array.hpp"
#include "topologies/topology.hpp"

/// Weights of methods over one-way links (m x m, non-negative, zero without a link; edge weights play no part). Senders
/// of push weights know only their out-degrees, receivers of pull weights only their in-degrees. On an undirected
/// regular graph both are the same, and doubly stochastic. Sources: D. Kempe, A. Dobra, J. Gehrke, "Gossip-based
/// computation of aggregate information", FOCS 2003 (push); S. Pu, W. Shi, J. Xu, A. Nedic, "Push-pull gradient methods
/// for distributed optimization in networks", IEEE TAC 2021.
namespace lagnet {

/// C, column stochastic: C_ij = 1 / (1 + out-degree of j) where j sends to i, and for i = j.
SparseMatrix push_weights(const Topology& topology);
/// R, row stochastic: R_ij = 1 / (1 + in-degree of i) where j sends to i, and for i = j.
SparseMatrix pull_weights(const Topology& topology);

/// The second largest absolute value of an eigenvalue of such weights: the factor of an error that a round of push-sum
/// leaves in the long run. 0 for one agent, 1 for a digraph that is not strongly connected; nothing for more than 512
/// agents, and where the QR iteration does not converge.
std::optional<double> one_way_factor(const Topology& topology, const SparseMatrix& weights);

}  // namespace lagnet
