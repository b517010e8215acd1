#pragma once

#include <cstdint>
#include <string_view>

#include "sim/base/options.hpp"
#include "topologies/generators/graph_size.hpp"
#include "topologies/topology.hpp"

namespace lagnet {

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

Topology make_topology(const BarbellOptions& options, std::uint64_t seed);
Topology make_topology(const TwoLevelClusterOptions& options, std::uint64_t seed);

}  // namespace lagnet
