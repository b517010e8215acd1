#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/topology.hpp"

/// Families whose degree and diameter both grow as the logarithm of the number of agents.
namespace lagnet {

/// The static exponential graph of Ying, Yuan, Chen, Hu, Pan, Yin, "Exponential graph is provably efficient for
/// decentralized deep training" (2021), made undirected: the neighbors at distances +-1, +-2, +-4, ... on a circle.
struct ExponentialOptions {
  static constexpr std::string_view kind = "exponential";
  static constexpr std::string_view summary = "agents in a circle, neighbors at the distances 1, 2, 4, 8, ...";
  std::int64_t agents = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
};

struct HypercubeOptions {
  static constexpr std::string_view kind = "hypercube";
  static constexpr std::string_view summary = "neighbors differ in one binary digit of their numbers";
  std::int64_t agents = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor& field) {
    field("agents", self.agents, "number of agents, a power of two", at_least(1).required());
  }
  template <class Report>
  void check(Report& report) const {
    if (!std::has_single_bit(static_cast<std::uint64_t>(agents))) report("agents", "a power of two", agents);
  }
};

Topology make_topology(const ExponentialOptions& options, std::uint64_t seed);
Topology make_topology(const HypercubeOptions& options, std::uint64_t seed);

}  // namespace lagnet
