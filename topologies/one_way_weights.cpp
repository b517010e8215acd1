#include "topologies/one_way_weights.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "sim/numerics/decompositions.hpp"

namespace lagnet {

namespace {

/// weight(i, j) for i = j and wherever j sends to i.
template <class Weight>
SparseMatrix weights_of(const Topology& topology, const Weight& weight) {
  const auto agents = static_cast<AgentId>(topology.agents());
  std::vector<Eigen::Triplet<double>> entries;
  for (AgentId j = 0; j < agents; ++j) {
    entries.emplace_back(j, j, weight(j, j));
    for (const AgentId i : topology.out(j)) entries.emplace_back(i, j, weight(i, j));
  }
  SparseMatrix weights(agents, agents);
  weights.setFromTriplets(entries.begin(), entries.end());
  return weights;
}

double share(std::span<const AgentId> others) { return 1 / (1 + static_cast<double>(others.size())); }

}  // namespace

SparseMatrix push_weights(const Topology& topology) {
  return weights_of(topology, [&](AgentId, AgentId j) { return share(topology.out(j)); });
}

SparseMatrix pull_weights(const Topology& topology) {
  return weights_of(topology, [&](AgentId i, AgentId) { return share(topology.in(i)); });
}

std::optional<double> one_way_factor(const Topology& topology, const SparseMatrix& weights) {
  constexpr std::int64_t agents_max = 512;
  if (topology.agents() > agents_max) return std::nullopt;
  if (topology.agents() == 1) return 0;
  if (!topology.connected()) return 1;
  const auto sizes = eigenvalue_sizes(Matrix(weights));
  if (!sizes) return std::nullopt;
  return std::min(1.0, (*sizes)[1]);
}

}  // namespace lagnet
