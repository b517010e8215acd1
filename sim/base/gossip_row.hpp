#pragma once

#include <vector>

namespace lagnet {

/// One row of a gossip matrix W: an agent's weight for itself and for each neighbor, in the order of neighbors().
struct GossipRow {
  double own = 0;
  std::vector<double> neighbors;
};

}  // namespace lagnet
