#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/sequences/graph_sequence.hpp"
#include "topologies/topology.hpp"

/// Families of sequences of graphs: a round of each after the other, or a new one for every round. make_topology()
/// gives every edge of any round.
namespace lagnet {

/// B. Ying, K. Yuan, Y. Chen, H. Hu, P. Pan, W. Yin, "Exponential graph is provably efficient for decentralized deep
/// training", NeurIPS 2021. W^t = (I + P) / 2, P the permutation of the round; with a power of 2 of agents the product
/// of all rounds' W^t is 11'/m.
struct OnePeerExponentialOptions {
  static constexpr std::string_view kind = "one_peer_exponential";
  static constexpr std::string_view summary =
      "agents in a circle; in the rounds in turn each sends to the one 1, 2, 4, 8, ... places ahead";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(2).required());
  }
  GraphSize size() const { return {1.0 * agents, agents * std::ceil(std::log2(1.0 * agents))}; }
};

/// As hypercubes do it, a dimension a round. W^t = (I + P) / 2, symmetric; the product of all rounds' W^t is 11'/m.
struct HypercubeMatchingsOptions {
  static constexpr std::string_view kind = "hypercube_matchings";
  static constexpr std::string_view summary =
      "in the rounds in turn agents exchange with those that differ in binary digit 0, 1, 2, ... of their numbers";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents, a power of two", at_least(2).required());
  }
  void check(auto& report) const {
    if (!std::has_single_bit(static_cast<std::uint64_t>(agents))) report("agents", "a power of two", agents);
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * std::log2(1.0 * agents)}; }
};

/// base_graph.hpp has its source and its rounds.
struct BaseGraphOptions {
  static constexpr std::string_view kind = "base_graph";
  static constexpr std::string_view summary =
      "rounds of at most k neighbors that average any number of agents exactly (Takezawa et al. 2023)";
  std::int64_t agents = 0;
  std::int64_t k = 1;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
    field("k", self.k, "the most neighbors of an agent in a round, below agents", at_least(1));
  }
  void check(auto& report) const {
    if (agents > 1 && k >= agents) report("k", "below agents", k);
  }
  /// No more than that.
  GraphSize size() const { return {1.0 * agents, 2.0 * agents * k * std::ceil(std::log2(1.0 * agents))}; }
};

/// M. de Vos, S. Farhadkhani, R. Guerraoui, A. Kermarrec, R. Pires, R. Sharma, "Epidemic learning: boosting
/// decentralized learning with randomized communication", NeurIPS 2023 (EL-Local, EL-Oracle).
struct EpidemicOptions {
  static constexpr std::string_view kind = "epidemic";
  static constexpr std::string_view summary =
      "every agent sends to s others, drawn anew in each round (de Vos et al. 2023)";
  std::int64_t agents = 0;
  std::int64_t s = 1;
  bool oracle = false;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(2).required());
    field("s", self.s, "to how many others each agent sends, below agents", at_least(1));
    field("oracle", self.oracle,
          "false: every agent draws whom it sends to, so that as many others send to it on average; true: all are put "
          "into one random order, a circle in which each sends to the next s, so that s send to it");
  }
  void check(auto& report) const {
    if (s >= agents) report("s", "below agents", s);
  }
  GraphSize size() const { return {1.0 * agents, agents * (agents - 1.0)}; }
};

// Throw Diagnosed for options that cannot be.
GraphSequence make_sequence(const OnePeerExponentialOptions& options);
GraphSequence make_sequence(const HypercubeMatchingsOptions& options);
GraphSequence make_sequence(const BaseGraphOptions& options);
GraphSequence make_sequence(const EpidemicOptions& options);

Topology make_topology(const OnePeerExponentialOptions& options, std::uint64_t seed);
Topology make_topology(const HypercubeMatchingsOptions& options, std::uint64_t seed);
Topology make_topology(const BaseGraphOptions& options, std::uint64_t seed);
Topology make_topology(const EpidemicOptions& options, std::uint64_t seed);

}  // namespace lagnet
