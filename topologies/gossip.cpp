#include "topologies/gossip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "topologies/laplacian.hpp"
#include "topologies/spectrum.hpp"

namespace lagnet {

SparseMatrix gossip_matrix(const Topology& topology, GossipWeights weights) {
  need_undirected(topology, "W");
  const auto weight = [&](AgentId i, AgentId j, double of_edge) {
    if (weights == GossipWeights::edge_weights)
      return of_edge / (1 + std::max(topology.weighted_degree(i), topology.weighted_degree(j)));
    const bool shared = weights == GossipWeights::max_degree;
    const std::int64_t degree = shared ? topology.max_degree() : std::max(topology.degree(i), topology.degree(j));
    const double w = 1 / (1 + static_cast<double>(degree));
    return weights == GossipWeights::lazy_metropolis ? w / 2 : w;
  };
  const auto agents = static_cast<AgentId>(topology.agents());
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(agents + 2 * topology.edges().size());
  for (AgentId i = 0; i < agents; ++i) {
    double others = 0;
    const auto neighbors = topology.neighbors(i);
    for (std::size_t k = 0; k < neighbors.size(); ++k) {
      const double w = weight(i, neighbors[k], topology.neighbor_edges(i)[k].weight);
      entries.emplace_back(i, neighbors[k], w);
      others += w;
    }
    entries.emplace_back(i, i, 1 - others);
  }
  SparseMatrix w(agents, agents);
  w.setFromTriplets(entries.begin(), entries.end());
  return w;
}

std::vector<Diagnostic> gossip_problems(const SparseMatrix& w, double tolerance) {
  if (w.rows() != w.cols() || w.rows() == 0) {
    return {{"W", "a square matrix", fmt::format("{} by {}", w.rows(), w.cols())}};
  }
  std::vector<Diagnostic> problems;
  Vector row_sums = Vector::Zero(w.rows());
  for (Index j = 0; j < w.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(w, j); entry; ++entry) {
      const auto [i, value] = std::pair(entry.row(), entry.value());
      row_sums[i] += value;
      if (!(std::isfinite(value) && value >= 0)) {
        problems.push_back(
            {fmt::format("W({},{})", i, j), "a finite number that is not negative", fmt::format("{}", value)});
      }
      if (const double mirrored = w.coeff(j, i); value != mirrored && !(std::isnan(value) && std::isnan(mirrored))) {
        problems.push_back({fmt::format("W({},{})", i, j), fmt::format("W({},{}), which is {}", j, i, mirrored),
                            fmt::format("{}", value)});
      }
    }
  }
  for (Index i = 0; i < w.rows(); ++i) {
    if (std::abs(row_sums[i] - 1) <= tolerance) continue;
    problems.push_back({fmt::format("row {} of W", i), "the sum 1", fmt::format("{}", row_sums[i])});
  }
  return problems;
}

GossipSpectrum gossip_spectrum(const SparseMatrix& w) {
  if (auto problems = gossip_problems(w); !problems.empty()) throw Diagnosed(std::move(problems));
  if (w.rows() == 1) return {};
  // I - W is the Laplacian of the graph whose edge weights are the W_ij, so its extreme eigenvalues are 1 - lambda_2
  // and 1 - lambda_m.
  std::vector<Edge> edges;
  for (Index j = 0; j < w.outerSize(); ++j) {
    for (SparseMatrix::InnerIterator entry(w, j); entry; ++entry) {
      if (entry.row() >= j || entry.value() == 0) continue;
      edges.push_back({static_cast<AgentId>(entry.row()), static_cast<AgentId>(j), entry.value()});
    }
  }
  const auto [largest, second_smallest] = spectrum(Topology(w.rows(), std::move(edges)));
  // Rounding may leave either end a little outside of 0 .. 1.
  return {.rho = 1 - std::clamp(std::min(second_smallest, 2 - largest), 0.0, 1.0),
          .lowest = 1 - largest,
          .second = 1 - second_smallest};
}

std::vector<Diagnostic> gossip_problems_on(const Topology& topology, const SparseMatrix& w, double tolerance) {
  if (w.rows() != topology.agents() || w.cols() != topology.agents())
    return {{"W", fmt::format("{0} rows and {0} columns, one an agent", topology.agents()),
             fmt::format("{} by {}", w.rows(), w.cols())}};
  std::vector<Diagnostic> problems = gossip_problems(w, tolerance);
  for (Index j = 0; j < w.outerSize(); ++j)
    for (SparseMatrix::InnerIterator entry(w, j); entry; ++entry)
      if (entry.row() != j && entry.value() != 0 &&
          !topology.sends(static_cast<AgentId>(entry.row()), static_cast<AgentId>(j)))
        problems.push_back({fmt::format("W({},{})", entry.row(), j), "0, since the graph has no such edge",
                            fmt::format("{}", entry.value())});
  if (!problems.empty() || w.rows() == 1) return problems;
  constexpr double rounding = 1e-12;
  const GossipSpectrum found = gossip_spectrum(w);
  if (1 - found.second <= rounding)
    problems.push_back({"W", "a second eigenvalue below 1, so that all agents come to agree",
                        fmt::format("{:.6g}: its entries above 0 leave agents apart", found.second)});
  else if (1 + found.lowest <= rounding)
    problems.push_back(
        {"W", "a lowest eigenvalue above -1, so that agents come to agree",
         fmt::format("{:.6g}: agents swap their values for ever; larger entries W(i,i) help", found.lowest)});
  return problems;
}

std::vector<GossipRow> gossip_rows(const Topology& topology, const SparseMatrix& w) {
  std::vector<Diagnostic> problems = gossip_problems(w);
  if (w.rows() != topology.agents())
    problems.push_back({"W", fmt::format("{} rows, one an agent", topology.agents()), fmt::format("{}", w.rows())});
  if (!problems.empty()) throw Diagnosed(std::move(problems));
  std::vector<GossipRow> rows(static_cast<std::size_t>(w.rows()));
  for (AgentId i = 0; i < rows.size(); ++i) {
    const auto neighbors = topology.neighbors(i);
    rows[i].neighbors.assign(neighbors.size(), 0.0);
    for (SparseMatrix::InnerIterator entry(w, i); entry; ++entry) {  // symmetric: a column is a row
      const auto j = static_cast<AgentId>(entry.row());
      const auto place = std::ranges::lower_bound(neighbors, j);
      if (j == i)
        rows[i].own = entry.value();
      else if (place != neighbors.end() && *place == j)
        rows[i].neighbors[static_cast<std::size_t>(place - neighbors.begin())] = entry.value();
      else if (entry.value() != 0)
        problems.push_back(
            {fmt::format("W({},{})", i, j), "0, since there is no such edge", fmt::format("{}", entry.value())});
    }
  }
  if (!problems.empty()) throw Diagnosed(std::move(problems));
  return rows;
}

double spectral_gap(const SparseMatrix& w) { return 1 - gossip_spectrum(w).rho; }

}  // namespace lagnet
