#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

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

/// Agents 0 .. c-1 and the last c agents are cliques; the path's agents lie between them in order.
struct BarbellOptions {
  static constexpr std::string_view kind = "barbell";
  static constexpr std::string_view summary = "two cliques joined by a path";
  std::int64_t clique_agents = 0;
  std::int64_t path_agents = 0;

  static void fields(auto& self, auto& field) {
    field("clique_agents", self.clique_agents, "agents of each of the two cliques", at_least(1).required());
    field("path_agents", self.path_agents, "agents between the cliques; with 0 one edge joins them", at_least(0));
  }
  GraphSize size() const {
    return {2.0 * clique_agents + path_agents, clique_agents * (clique_agents - 1.0) + path_agents + 1};
  }
};

/// Cluster k holds the agents k s .. k s + s - 1 for s agents per cluster; the first of them is its head.
struct TwoLevelClusterOptions {
  static constexpr std::string_view kind = "two_level_cluster";
  static constexpr std::string_view summary = "cliques whose first agents, the heads, form a clique too";
  std::int64_t clusters = 0;
  std::int64_t cluster_agents = 0;

  static void fields(auto& self, auto& field) {
    field("clusters", self.clusters, "number of clusters", at_least(1).required());
    field("cluster_agents", self.cluster_agents, "agents of each cluster, its head included", at_least(1).required());
  }
  GraphSize size() const {
    return {1.0 * clusters * cluster_agents,
            0.5 * clusters * cluster_agents * (cluster_agents - 1.0) + 0.5 * clusters * (clusters - 1.0)};
  }
};

/// Agent 0 is the root, agents 1 .. M the edges, and then come the clients, edge by edge.
struct TwoLevelTreeOptions {
  static constexpr std::string_view kind = "two_level_tree";
  static constexpr std::string_view summary = "agent 0 above edge servers, each of them above its clients";
  std::vector<std::int64_t> clients;
  std::optional<std::int64_t> edges;
  std::optional<std::int64_t> clients_per_edge;

  static void fields(auto& self, auto& field) {
    field("clients", self.clients, "number of clients of each edge: [3, 2]", at_least(1));
    field("edges", self.edges, "in its place: number of edges", at_least(1));
    field("clients_per_edge", self.clients_per_edge, "and number of clients of every edge", at_least(1));
  }
  void check(auto& report) const {
    if (clients.empty() && !(edges && clients_per_edge))
      report("clients", "a list, or edges and clients_per_edge", "neither");
    if (!clients.empty() && edges) report("edges", "null beside clients", *edges);
    if (!clients.empty() && clients_per_edge) report("clients_per_edge", "null beside clients", *clients_per_edge);
  }
  /// Those of each edge.
  std::vector<std::int64_t> all_clients() const {
    return clients.empty() ? std::vector<std::int64_t>(static_cast<std::size_t>(edges.value_or(0)), *clients_per_edge)
                           : clients;
  }
  GraphSize size() const {
    double agents = 1.0 + (clients.empty() ? 1.0 * edges.value_or(0) * (1.0 + clients_per_edge.value_or(0)) : 0);
    for (const std::int64_t some : clients) agents += 1.0 + some;
    return {agents, agents - 1};
  }
};

Topology make_topology(const BarbellOptions& options, std::uint64_t seed);
Topology make_topology(const TwoLevelTreeOptions& options, std::uint64_t seed);
Topology make_topology(const TwoLevelClusterOptions& options, std::uint64_t seed);

}  // namespace lagnet
