#include "topologies/one_way_weights.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/decompositions.hpp"

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

std::vector<Diagnostic> one_way_problems(const Topology& topology, const SparseMatrix& weights, SumsToOne sums,
                                         double tolerance) {
  const Index agents = topology.agents();
  if (weights.rows() != agents || weights.cols() != agents)
    return {
        {"weights", fmt::format("{} by {}", agents, agents), fmt::format("{} by {}", weights.rows(), weights.cols())}};
  std::vector<Diagnostic> problems;
  Vector total = Vector::Zero(agents);
  for (Index j = 0; j < weights.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(weights, j); entry; ++entry) {
      const auto [i, value] = std::pair(entry.row(), entry.value());
      total[sums == SumsToOne::columns ? j : i] += value;
      const std::string where = fmt::format("weight ({},{})", i, j);
      if (!(std::isfinite(value) && value >= 0))
        problems.push_back({where, "a finite number that is not negative", fmt::format("{}", value)});
      else if (value != 0 && i != j &&
               !std::ranges::binary_search(topology.out(static_cast<AgentId>(j)), static_cast<AgentId>(i)))
        problems.push_back({where, fmt::format("0, since {} does not send to {}", j, i), fmt::format("{}", value)});
    }
  for (Index k = 0; k < agents; ++k)
    if (!(std::abs(total[k] - 1) <= tolerance))
      problems.push_back({fmt::format("{} {} of the weights", sums == SumsToOne::columns ? "column" : "row", k),
                          "the sum 1", fmt::format("{}", total[k])});
  return problems;
}

std::optional<double> one_way_factor(const Topology& topology, const SparseMatrix& weights, SumsToOne sums) {
  constexpr std::int64_t agents_max = 512;
  if (auto problems = one_way_problems(topology, weights, sums); !problems.empty())
    throw TopologyError(std::move(problems));
  if (topology.agents() > agents_max) return std::nullopt;
  if (topology.agents() == 1) return 0;
  if (!topology.connected()) return 1;
  const auto sizes = eigenvalue_sizes(Matrix(weights));
  if (!sizes) return std::nullopt;
  return std::min(1.0, (*sizes)[1]);
}

}  // namespace lagnet
