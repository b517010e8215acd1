#include "topologies/designs/best_center.hpp"

#include <algorithm>
#include <limits>

namespace lagnet {

AgentId best_center(const Delays& delays) {
  AgentId best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (AgentId center = 0; center < delays.agents(); ++center) {
    double farthest = 0;
    for (AgentId other = 0; other < delays.agents(); ++other)
      farthest = std::max(farthest, delays.between(center, other));
    if (farthest >= least) continue;
    least = farthest;
    best = center;
  }
  return best;
}

}  // namespace lagnet
