#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

struct CompleteOptions {
  static constexpr std::string_view kind = "complete";
  static constexpr std::string_view summary = "every two agents are neighbors";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * (agents - 1.0)}; }
};

struct StarOptions {
  static constexpr std::string_view kind = "star";
  static constexpr std::string_view summary = "one agent in the middle, neighbor of all others";
  std::int64_t agents = 0;
  std::int64_t center = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents, the center included", at_least(1).required());
    field("center", self.center, "the agent in the middle", at_least(0));
  }
  void check(auto& report) const {
    if (center >= agents) report("center", "an agent below agents", center);
  }
  GraphSize size() const { return {1.0 * agents, agents - 1.0}; }
};

struct RingOptions {
  static constexpr std::string_view kind = "ring";
  static constexpr std::string_view summary = "agents in a circle, each a neighbor of the next";
  std::int64_t agents = 0;  // 2 agents share one edge

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, 1.0 * agents}; }
};

struct PathOptions {
  static constexpr std::string_view kind = "path";
  static constexpr std::string_view summary = "agents in a line, each a neighbor of the next";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, agents - 1.0}; }
};

struct BinaryTreeOptions {
  static constexpr std::string_view kind = "binary_tree";
  static constexpr std::string_view summary = "agent i hangs below agent (i-1)/2; agent 0 is the root";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents; the last level may be incomplete", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, agents - 1.0}; }
};

/// The static exponential graph of Ying, Yuan, Chen, Hu, Pan, Yin, "Exponential graph is provably efficient for
/// decentralized deep training" (2021), made undirected: the neighbors at distances +-1, +-2, +-4, ... on a circle.
struct ExponentialOptions {
  static constexpr std::string_view kind = "exponential";
  static constexpr std::string_view summary = "agents in a circle, neighbors at the distances 1, 2, 4, 8, ...";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents", at_least(1).required());
  }
  GraphSize size() const { return {1.0 * agents, agents * std::log2(1.0 * agents)}; }
};

struct HypercubeOptions {
  static constexpr std::string_view kind = "hypercube";
  static constexpr std::string_view summary = "neighbors differ in one binary digit of their numbers";
  std::int64_t agents = 0;

  static void fields(auto& self, auto& field) {
    field("agents", self.agents, "number of agents, a power of two", at_least(1).required());
  }
  void check(auto& report) const {
    if (!std::has_single_bit(static_cast<std::uint64_t>(agents))) report("agents", "a power of two", agents);
  }
  GraphSize size() const { return {1.0 * agents, 0.5 * agents * std::log2(1.0 * agents)}; }
};

Topology make_topology(const CompleteOptions& options, std::uint64_t seed);
Topology make_topology(const StarOptions& options, std::uint64_t seed);
Topology make_topology(const RingOptions& options, std::uint64_t seed);
Topology make_topology(const PathOptions& options, std::uint64_t seed);
Topology make_topology(const BinaryTreeOptions& options, std::uint64_t seed);
Topology make_topology(const ExponentialOptions& options, std::uint64_t seed);
Topology make_topology(const HypercubeOptions& options, std::uint64_t seed);

}  // namespace lagnet
