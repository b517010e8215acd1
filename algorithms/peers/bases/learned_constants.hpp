#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/kernels/column_block.hpp"
#include "sim/agents/agent.hpp"
#include "sim/agents/task.hpp"

/// The constants of fd_primal_dual's steps, learned by the agents themselves before the first round: a spanning tree by
/// an echo from one agent, over which numbers are added up and handed down, and power iterations
///
///     for D:      w <- L w, a number of each agent; for delta: w <- (c - L) w, c the learned D, without its mean
///     for chi:    u <- sum_j X_j X_j' u (n), added up over the tree
///
/// each divided by its norm, which is what remains. The last norm is below its limit, the eigenvalue; D and chi get a
/// margin, which the steps need to be safe. delta moves the balance of the steps alone, and has none. Sources: E. J. H.
/// Chang, "Echo algorithms", IEEE Transactions on Software Engineering 8, 1982; B. Ancelin, S. Bahmani, J. Romberg,
/// 2021, section 5, on constants "at the cost of extra communications".
namespace lagnet {

struct LearningRule {
  AgentId root = 0;
  std::int64_t iterations = 20;  // of each power iteration
  double margin = 0.05;          // D and chi are raised by this share
};

struct LearnedConstants {
  double chi = 0, D = 0, delta = 0;  // for one agent 0 and infinity, as in Theorem 1
};

/// All agents must call this at once, before any other exchange, in a world where no message is missing. `weights` has
/// those of this agent's edges; null: 1 each. All get the same bits. Takes 2 |E| messages and more for the tree, 2 (m -
/// 1) messages of n numbers for each iteration of chi, and of two numbers and one for those of D and delta, beside one
/// number to each neighbor.
Task<LearnedConstants> learn_constants(Agent& me, const ColumnBlock& X, const std::vector<double>* weights,
                                       LearningRule rule);

}  // namespace lagnet
