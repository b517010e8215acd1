#include "topologies/generators/clustered.hpp"

#include <utility>
#include <vector>

#include "topologies/generators/options_check.hpp"
#include "topologies/generators/simple_edges.hpp"

namespace lagnet {

Topology make_topology(const BarbellOptions& options, std::uint64_t) {
  check_options(options);
  const std::int64_t second_clique = options.clique_agents + options.path_agents;
  std::vector<Edge> edges;
  append_clique(edges, 0, options.clique_agents);
  append_clique(edges, second_clique, options.clique_agents);
  for (std::int64_t i = options.clique_agents; i <= second_clique; ++i) edges.push_back(edge_between(i - 1, i));
  return Topology(second_clique + options.clique_agents, std::move(edges));
}

Topology make_topology(const TwoLevelClusterOptions& options, std::uint64_t) {
  check_options(options);
  std::vector<Edge> edges;
  for (std::int64_t cluster = 0; cluster < options.clusters; ++cluster) {
    const std::int64_t head = cluster * options.cluster_agents;
    append_clique(edges, head, options.cluster_agents);
    for (std::int64_t other = 0; other < cluster; ++other) {
      edges.push_back(edge_between(other * options.cluster_agents, head));
    }
  }
  return Topology(options.clusters * options.cluster_agents, std::move(edges));
}

}  // namespace lagnet
