#include "algorithms/interface/algorithm.hpp"

#include <numeric>

namespace lagnet {

Vector joined(RoundReport report, std::size_t part) {
  Index size = 0;
  for (const auto& parts : report) size += parts[part].size();
  Vector whole(size);
  Index first = 0;
  for (const auto& parts : report) {
    whole.segment(first, parts[part].size()) = parts[part];
    first += parts[part].size();
  }
  return whole;
}

std::vector<AgentId> all_agents(Index agents) {
  std::vector<AgentId> all(static_cast<std::size_t>(agents));
  std::iota(all.begin(), all.end(), AgentId{0});
  return all;
}

}  // namespace lagnet
