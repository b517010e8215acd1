#include "algorithms/problem/agent_weights.hpp"

#include <cstddef>

namespace lagnet {

std::vector<double> agent_weights(AgentWeights weights, const std::vector<Index>& starts) {
  std::vector<double> w(starts.size() - 1, 1);
  if (weights == AgentWeights::even) return w;
  const double m = static_cast<double>(w.size()), N = static_cast<double>(starts.back());
  for (std::size_t i = 0; i < w.size(); ++i) w[i] = m * static_cast<double>(starts[i + 1] - starts[i]) / N;
  return w;
}

}  // namespace lagnet
