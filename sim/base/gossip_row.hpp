#pragma once

#include <vector>

namespace lagnet {

/// One row of a gossip matrix W: an agent's weight for itself and for each neighbor that it hears, in the order of
/// in_neighbors().
struct GossipRow {
  double own = 0;
  std::vector<double> neighbors;
};

}  // namespace lagnet
