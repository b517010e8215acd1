#pragma once

#include "algorithms/interface/algorithm.hpp"
#include "algorithms/kernels/column_block.hpp"

namespace lagnet {

/// What an iteration of fd_primal_dual costs an agent with the columns X (n x d_j) and `degree` neighbors whose vectors
/// came. Both steps together take n (4 d_j + 2 deg + 7) + 5 d_j flops on a topology without weights, n (4 d + 1) + 5 d
/// for one agent: Ancelin, Bahmani, Romberg 2021, section IV. Of memory, X is read once for each product, and every
/// vector once wherever an expression reads or writes it.
struct PrimalDualCost {
  Index n = 0;               // samples
  bool is_weighted = false;  // the Laplacian has weights, which are multiplied with the neighbors' vectors
  bool is_scaled = false;    // and a factor, which the constant of (10) takes in, and (11) does not: n flops
  Cost primal(const ColumnBlock& X, Index degree) const;
  Cost dual(const ColumnBlock& X, Index degree) const;
};

/// Figure 2's axis: iterations of a single agent that take as many operations as `round` iterations of an agent with
/// d/m features and the largest degree.
double single_agent_iterations(Round round, const MethodInput& given);

}  // namespace lagnet
