#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// G(n,p) of Gilbert, "Random graphs" (1959): each of the n(n-1)/2 possible edges exists with probability p,
/// independently. One draw per possible edge (i,j), i < j, ascending; so the same seed with a larger p keeps every edge
/// and adds some. With more agents than most_one_by_one, one draw per possible edge would take long (and from 2^33 on
/// repeat a sequence of draws), so only the existing edges are drawn: Batagelj, Brandes, "Efficient generation of large
/// random networks" (2005).
struct ErdosRenyiOptions {
  static constexpr std::string_view kind = "erdos_renyi";
  static constexpr std::string_view summary =
      "each possible edge exists with the same probability; redrawn until connected";
  std::int64_t agents = 0;
  double probability = 0;
  std::int64_t attempts = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("probability", self.probability, "probability of each possible edge", within(0, 1).required());
    field("attempts", self.attempts, "draws before giving up on a connected graph", within(1, 1e6));
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * (agents - 1.0) * probability}; }
};

inline constexpr std::int64_t most_one_by_one = 16'384;

Topology make_topology(const ErdosRenyiOptions& options, std::uint64_t seed);

}  // namespace lagnet
