#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

/// Digraphs that look the same from every agent. Push and pull weights are the same on them, and doubly stochastic.

struct DirectedRingOptions {
  static constexpr std::string_view kind = "directed_ring";
  static constexpr std::string_view summary = "agents in a circle, each sends to the next; links go one way";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * agents}; }
};

/// The static exponential graph of Ying, Yuan, Chen, Hu, Pan, Yin, "Exponential graph is provably efficient for
/// decentralized deep training" (2021).
struct DirectedExponentialOptions {
  static constexpr std::string_view kind = "directed_exponential";
  static constexpr std::string_view summary =
      "agents in a circle, each sends to those 1, 2, 4, 8, ... places ahead; links go one way";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, agents * std::ceil(std::log2(1.0 * agents))}; }
};

Topology make_topology(const DirectedRingOptions& options, std::uint64_t seed);
Topology make_topology(const DirectedExponentialOptions& options, std::uint64_t seed);

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

/// How many links of a graph go one way.
struct Orientation {
  double one_way = 0.5;      // the probability of each edge to become a single arc
  std::int64_t tries = 100;  // draws before giving up on a strongly connected digraph
};

/// The digraph whose arcs go where edges of the graph are: of each edge both arcs, or with the probability `one_way`
/// one of them, in either direction alike. Two draws of an edge that goes one way, one of any other, ascending; redrawn
/// until strongly connected. Agents keep their places, edges their weights. Throws Diagnosed for a digraph, for a
/// disconnected graph, and where no draw is strongly connected: a bridge must go both ways.
Topology oriented(const Topology& graph, const Orientation& how, std::uint64_t seed);

}  // namespace lagnet
