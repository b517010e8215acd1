#pragma once

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Points uniform in the unit square; two agents nearer than `radius` are neighbors. The positions stay with the
/// topology.
struct RandomGeometricOptions {
  static constexpr std::string_view kind = "random_geometric";
  static constexpr std::string_view summary = "agents in the unit square, neighbors when near; redrawn until connected";
  std::int64_t agents = 0;
  double radius = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("radius", self.radius, "agents at a smaller distance are neighbors; the square's side is 1",
          above(0).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  /// Those at the border have fewer neighbors.
  GraphSize size() const {
    return {1.0 * agents, 0.5 * agents * (agents - 1.0) * std::min(1.0, std::numbers::pi * radius * radius)};
  }
};

Topology make_topology(const RandomGeometricOptions& options, std::uint64_t seed);

}  // namespace lagnet
