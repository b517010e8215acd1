#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Every agent sends to as many others, drawn at random without repetition; so their out-degrees are one number and
/// their in-degrees differ. T. I. Fenner, A. M. Frieze, "On the connectivity of random m-orientable graphs and
/// digraphs", Combinatorica 2 (1982).
struct RandomOutOptions {
  static constexpr std::string_view kind = "random_out";
  static constexpr std::string_view summary =
      "every agent sends to as many random others, one way; redrawn until strongly connected";
  std::int64_t agents = 0;
  std::int64_t degree = 0;
  std::int64_t tries = 100;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(2).required());
    field("degree", self.degree, "to how many others each agent sends", at_least(1).required());
    field("tries", self.tries, "draws before giving up on a strongly connected digraph", within(1, 1e6));
  }
  void check(auto& report) const {
    if (degree >= agents) report("degree", "below agents", degree);
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * agents * degree}; }
};

Topology make_topology(const RandomOutOptions& options, std::uint64_t seed);

}  // namespace lagnet
