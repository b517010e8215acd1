#pragma once

#include <array>
#include <vector>

#include "sim/base/array.hpp"
#include "sim/base/options.hpp"

/// How much agents that hold samples weigh in the objective
///
///     F(theta) = (1/m) sum_i f_i(theta) + r(theta),   f_i(theta) = (w_i / n_i) sum over agent i's samples of l(x'
///     theta, y)
///
/// of m agents, of which i holds n_i of all N samples. They differ only where not all n_i are equal.
namespace lagnet {

enum class AgentWeights {
  samples,  // w_i = m n_i / N: every sample weighs alike, and F is the objective of all samples pooled
  even      // w_i = 1: every agent weighs alike, and its samples the less the more it has
};
constexpr auto spellings(AgentWeights) {
  return std::array{Spelling{AgentWeights::samples, "samples"}, Spelling{AgentWeights::even, "even"}};
}

/// w_i of each agent; agent i holds the rows sample_starts[i] .. sample_starts[i+1] - 1. Exactly 1 for equal n_i. (m)
std::vector<double> agent_weights(AgentWeights weights, const std::vector<Index>& sample_starts);

}  // namespace lagnet
