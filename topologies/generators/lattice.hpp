#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// A grid whose cells are numbered row by row. With hub_at_center, agent 0 and the agent of the central cell (rows/2,
/// columns/2) change places, as in the experiments of Ancelin, Bahmani, Romberg, "Decentralized feature-distributed
/// optimization for generalized linear models" (2021), where agent 0 alone knows the labels.
struct LatticeOptions {
  static constexpr std::string_view kind = "lattice";
  static constexpr std::string_view summary = "a grid; neighbors are the 4 or 8 surrounding cells";
  std::optional<std::int64_t> agents;
  std::optional<std::int64_t> rows;
  std::optional<std::int64_t> columns;
  std::int64_t neighbors = 4;
  bool torus = false;
  bool hub_at_center = true;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents, a square number unless rows and columns are given", at_least(1));
    field("rows", self.rows, "rows of the grid; by default the square root of agents", at_least(1));
    field("columns", self.columns, "columns of the grid; by default the square root of agents", at_least(1));
    field("neighbors", self.neighbors, "4: the cells at the sides; 8: also those at the corners", within(4, 8));
    field("torus", self.torus, "join the last row to the first and the last column to the first");
    field("hub_at_center", self.hub_at_center, "agent 0 changes places with the agent of a central cell");
  }
  void check(auto& report) const {
    if (neighbors != 4 && neighbors != 8) report("neighbors", "4 or 8", neighbors);
    if (rows && columns) {
      if (agents && *agents != *rows * *columns) report("agents", "rows times columns", *agents);
    } else if (rows) {
      report("columns", "a number beside rows", "none");
    } else if (columns) {
      report("rows", "a number beside columns", "none");
    } else if (!agents) {
      report("agents", "a number, or rows and columns", "none");
    } else if (*agents != side() * side()) {
      report("agents", "a square number, or rows and columns", *agents);
    }
  }
  /// The largest integer whose square is at most agents, which must be given.
  std::int64_t side() const;
  GraphSize size() const {
    const double places = rows && columns ? 1.0 * *rows * *columns : 1.0 * agents.value_or(0);
    return {places, places * 0.5 * neighbors};
  }
};

Topology make_topology(const LatticeOptions& options, std::uint64_t seed);

}  // namespace lagnet
