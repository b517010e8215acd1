#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/peers/bases/peers.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/central/problems.hpp"
#include "tests/unit/sim/world.hpp"

/// Worlds for tests of algorithms whose agents all hold samples.
namespace lagnet::test {

/// The Laplacian of these edges, without weights (m x m).
inline Matrix laplacian_of(Index m, const std::vector<std::pair<AgentId, AgentId>>& edges) {
  Matrix L = Matrix::Zero(m, m);
  for (const auto& [a, b] : edges) {
    L(a, a) += 1;
    L(b, b) += 1;
    L(a, b) = L(b, a) = -1;
  }
  return L;
}
inline GraphSpectrum spectrum_of(const Matrix& laplacian) {
  const Vector values = testing::eigenvalues(laplacian);
  if (values.size() == 1) return {.largest = 0, .least = std::numeric_limits<double>::infinity()};
  return {.largest = values[values.size() - 1], .least = std::max(0.0, values[1])};
}

/// Agents with so many samples each, linked by these edges.
struct PeerBench {
  Problem problem;
  std::vector<Index> sizes;
  std::vector<std::pair<AgentId, AgentId>> edges = {};
  Round rounds = 1;
  bool lazy = true;                             // W = (I + M)/2, M with Metropolis weights, or M
  std::vector<std::int64_t> latencies_ns = {};  // of each edge, 1 ms by default
  unsigned threads = 1;
  WorldModel model = {};
  bool one_way = false;  // edges are arcs, from the first agent to the second

  Index agents() const { return std::ssize(sizes); }
  std::vector<AgentId> neighbors(AgentId i) const {
    std::vector<AgentId> found;
    for (const auto& [a, b] : edges) {
      if (a == i) found.push_back(b);
      if (b == i) found.push_back(a);
    }
    std::ranges::sort(found);
    return found;
  }
  Matrix W() const {
    Matrix w = Matrix::Zero(agents(), agents());
    for (const auto& [a, b] : edges)
      w(a, b) = w(b, a) =
          (lazy ? 0.5 : 1.0) / static_cast<double>(1 + std::max(neighbors(a).size(), neighbors(b).size()));
    for (Index i = 0; i < agents(); ++i) w(i, i) = 1 - w.row(i).sum();
    return w;
  }
  MethodInput assignment() const {
    MethodInput given{.problem = problem, .sample_starts = {0}, .rounds = rounds};
    for (const Index size : sizes) given.sample_starts.push_back(given.sample_starts.back() + size);
    given.network.agents = agents();
    for (AgentId i = 0; i < agents(); ++i)
      given.network.max_degree = std::max(given.network.max_degree, std::ssize(neighbors(i)));
    const Matrix w = W();
    for (AgentId i = 0; i < agents(); ++i) {
      GossipRow& row = given.network.gossip.emplace_back();
      row.own = w(i, i);
      for (const AgentId k : neighbors(i)) row.neighbors.push_back(w(i, k));
    }
    const Matrix apart = w - Matrix::Constant(agents(), agents(), 1 / static_cast<double>(agents()));
    const Vector eigenvalues = testing::eigenvalues(apart);
    given.network.gossip_rho = eigenvalues.cwiseAbs().maxCoeff();
    given.network.gossip_lowest = testing::eigenvalues(w).minCoeff();
    given.network.gossip_second = eigenvalues.maxCoeff();
    given.network.graphs = {spectrum_of(laplacian_of(agents(), edges))};
    return given;
  }
  Simulation world(bool timing_only = false) const {
    std::vector<LinkSpec> links;
    for (std::size_t e = 0; e < edges.size(); ++e) {
      join(links, edges[e].first, edges[e].second, latencies_ns.empty() ? 1'000'000 : latencies_ns[e]);
      if (one_way) links.pop_back();
    }
    const auto m = static_cast<AgentId>(agents());
    const auto directions = one_way ? LinkDirections::any : LinkDirections::both;
    return Simulation(Network(m, std::move(links), {}, directions), ComputeModel(std::vector<double>(m, 1e9)),
                      {.threads = threads, .model = model, .timing_only = timing_only});
  }
};

struct PeerResult : Recorder {
  std::vector<std::vector<std::vector<Vector>>> reports;  // by round and agent
  std::vector<std::vector<AgentAccount>> accounts;        // the same, at the report
  Ledger ledger{0, 0};
  void reported(AgentId agent, Round round, std::span<const VectorView> parts) override {
    const auto t = static_cast<std::size_t>(round);
    reports.resize(std::max(reports.size(), t + 1));
    accounts.resize(reports.size());
    reports[t].resize(ledger.agents());
    accounts[t].resize(ledger.agents());
    reports[t][agent].assign(parts.begin(), parts.end());
    accounts[t][agent] = ledger.agent(agent);
  }
  const Vector& theta(std::size_t round, AgentId agent) const { return reports.at(round).at(agent).at(0); }
};

/// Runs an algorithm, perhaps without numbers.
inline PeerResult simulate(const PeerBench& bench, const Algorithm& algorithm, bool timing_only = false) {
  Simulation world = bench.world(timing_only);
  PeerResult result;
  result.ledger = Ledger(static_cast<AgentId>(bench.agents()), world.network().links());
  world.listen(result.ledger);
  world.record(result);
  algorithm.spawn(world);
  world.run();
  return result;
}

/// Least squares with normal data and coefficients 1, -1, 0, ..
inline Problem normal_regression(Index n, Index d, std::uint64_t seed = 5) {
  const Matrix X = testing::normal_matrix(n, d, seed);
  Problem problem = testing::make_problem(X, testing::noisy_labels(X, seed), make_loss(SquaredOptions{}),
                                          make_regularizer(NoneOptions{}));
  problem.shape = IterateShape::vector(d);
  return problem;
}

inline std::vector<std::pair<AgentId, AgentId>> ring_edges(AgentId agents) {
  std::vector<std::pair<AgentId, AgentId>> edges;
  for (AgentId i = 0; i < agents; ++i) edges.emplace_back(i, (i + 1) % agents);
  return edges;
}
inline std::vector<std::pair<AgentId, AgentId>> complete_edges(AgentId agents) {
  std::vector<std::pair<AgentId, AgentId>> edges;
  for (AgentId a = 0; a < agents; ++a)
    for (AgentId b = a + 1; b < agents; ++b) edges.emplace_back(a, b);
  return edges;
}

}  // namespace lagnet::test
