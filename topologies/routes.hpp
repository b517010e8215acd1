#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/base/types.hpp"

namespace lagnet {

/// One direction of a link between nodes.
struct Arc {
  std::uint32_t from = 0, to = 0;
  Duration latency;
};

/// The nodes of the route from `from` to each node, both ends included; nothing where there is none. A route has the
/// least sum of latencies, of several the fewest arcs, and of these it is the first by the numbers of its nodes.
std::vector<std::optional<std::vector<std::uint32_t>>> shortest_routes(std::uint32_t nodes,
                                                                       const std::vector<Arc>& arcs,
                                                                       std::uint32_t from);

}  // namespace lagnet
