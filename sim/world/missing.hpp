#pragma once

#include "sim/base/types.hpp"

namespace lagnet {

enum class MissingNeighborKind {
  wait,        // for ever; if the message never comes and no event is left, the run ends with a deadlock report
  reuse_last,  // after the deadline the neighbor's last value replaces it, and its age counts as staleness
  skip         // after the deadline the sum runs over the neighbors whose messages came
};

/// The policy of an exchange between neighbors if a message is missing.
struct MissingNeighbor {
  MissingNeighborKind kind = MissingNeighborKind::wait;
  Duration deadline;  // from the time at which the agent begins to wait; ignored with `wait`
};

}  // namespace lagnet
