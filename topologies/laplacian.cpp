#include "topologies/laplacian.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/visitors.hpp>
#include <numeric>
#include <vector>

#include "topologies/graph.hpp"

namespace lagnet {

SparseMatrix laplacian(const Topology& topology) {
  need_undirected(topology, "the Laplacian");
  const Index m = topology.agents();
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(static_cast<std::size_t>(m) + 2 * topology.edges().size());
  for (Index i = 0; i < m; ++i) entries.emplace_back(i, i, topology.weighted_degree(static_cast<AgentId>(i)));
  for (const auto& [from, to, weight] : topology.edges()) {
    entries.emplace_back(from, to, -weight);
    entries.emplace_back(to, from, -weight);
  }
  SparseMatrix matrix(m, m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

Matrix dense_laplacian(const Topology& topology) { return Matrix(laplacian(topology)); }

DegreeStatistics degree_statistics(const Topology& topology) {
  const auto agents = static_cast<AgentId>(topology.agents());
  std::int64_t min = topology.degree(0);
  for (AgentId i = 1; i < agents; ++i) min = std::min(min, topology.degree(i));
  const double ends = (topology.is_directed() ? 1.0 : 2.0) * static_cast<double>(topology.edges().size());
  return {min, ends / static_cast<double>(agents), topology.max_degree()};
}

std::vector<std::int64_t> hops_from(const Topology& topology, AgentId source) {
  std::vector<std::int64_t> hops(static_cast<std::size_t>(topology.agents()), unreachable);
  hops[source] = 0;
  const auto record = boost::record_distances(hops.data(), boost::on_tree_edge());
  boost::breadth_first_search(graph_of(topology), source, boost::visitor(boost::make_bfs_visitor(record)));
  return hops;
}

Distances distances(const Topology& topology) {
  constexpr std::int64_t exact_work_max = 400'000'000;
  constexpr std::int64_t samples_max = 64;
  if (!topology.connected()) {
    throw Diagnosed(
        {Diagnostic{"distances", topology.is_directed() ? "a strongly connected graph" : "a connected graph",
                    fmt::format("{} components", topology.components())}});
  }
  const std::int64_t agents = topology.agents();
  if (agents == 1) return {};
  const std::int64_t work_per_source = agents + 2 * std::ssize(topology.edges());
  Distances result;
  result.exact = work_per_source <= exact_work_max / agents;
  const std::int64_t sources = result.exact ? agents : std::min(agents, samples_max);

  std::int64_t sum = 0;
  for (std::int64_t k = 0; k < sources; ++k) {
    std::vector<std::int64_t> distance = hops_from(topology, static_cast<AgentId>(k * agents / sources));
    sum = std::accumulate(distance.begin(), distance.end(), sum);
    const auto farthest = std::max_element(distance.begin(), distance.end());
    result.diameter = std::max(result.diameter, *farthest);
    if (result.exact) continue;
    distance = hops_from(topology, static_cast<AgentId>(farthest - distance.begin()));
    result.diameter = std::max(result.diameter, *std::max_element(distance.begin(), distance.end()));
  }
  result.mean_path_length = static_cast<double>(sum) / (static_cast<double>(sources) * static_cast<double>(agents - 1));
  return result;
}

}  // namespace lagnet
