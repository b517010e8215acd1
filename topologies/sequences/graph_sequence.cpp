#include "topologies/sequences/graph_sequence.hpp"

#include <set>
#include <utility>

#include "sim/base/errors.hpp"

namespace lagnet {

Topology GraphSequence::plain_union() const {
  LAGNET_CHECK(!graphs.empty(), "no graphs to unite");
  std::set<std::pair<AgentId, AgentId>> ends;
  for (const Topology& graph : graphs)
    for (const Edge& edge : graph.edges()) ends.emplace(edge.from, edge.to);
  std::vector<Edge> edges;
  for (const auto& [from, to] : ends) edges.push_back({from, to});
  const std::int64_t agents = graphs.front().agents();
  if (graphs.front().is_directed()) return Topology::of_arcs(agents, std::move(edges));
  return {agents, std::move(edges)};
}

SparseMatrix matrix_of_edges(const Topology& graph) {
  const auto agents = static_cast<AgentId>(graph.agents());
  std::vector<Eigen::Triplet<double>> entries;
  for (AgentId i = 0; i < agents; ++i) {
    double others = 0;
    const auto neighbors = graph.neighbors(i);
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      const double w = graph.neighbor_edges(i)[k].weight;
      entries.emplace_back(i, neighbors[k], w);
      others += w;
    }
    entries.emplace_back(i, i, 1 - others);
  }
  SparseMatrix w(agents, agents);
  w.setFromTriplets(entries.begin(), entries.end());
  return w;
}

}  // namespace lagnet
