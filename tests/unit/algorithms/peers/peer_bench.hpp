#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/compression/compressors.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
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

/// Agents with this number of samples each, linked by these edges.
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
    given.network.edges = std::ssize(edges);
    for (AgentId i = 0; agents() > 1 && i < agents() && !given.network.cycle_gap; ++i)
      if (!std::ranges::binary_search(neighbors(i), static_cast<AgentId>((i + 1) % agents())))
        given.network.cycle_gap = i;
    const Matrix w = W();
    given.network.W = std::make_shared<const SparseMatrix>(w.sparseView());
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

/// Two agents with one sample and one coefficient: gradients x - 2 and 4 x - 4, minimizer 6/5; W = [3/4 1/4; 1/4 3/4].
inline PeerBench two_agents(Round rounds) {
  return {.problem = testing::make_problem(Matrix{{1}, {2}}, Vector{{2, 2}}, make_loss(SquaredOptions{}),
                                           make_regularizer(NoneOptions{})),
          .sizes = {1, 1},
          .edges = {{0, 1}},
          .rounds = rounds};
}

/// Five agents on a ring, of well-conditioned least squares.
inline PeerBench ring_bench(Round rounds) {
  return {
      .problem = normal_regression(100, 4), .sizes = {20, 20, 20, 20, 20}, .edges = ring_edges(5), .rounds = rounds};
}

template <class Method, class Options>
PeerResult simulate(const PeerBench& bench, const Options& options) {
  return simulate(bench, Method(options, bench.assignment()));
}

/// Of both agents, from round 1 on.
inline void check_iterates(const PeerResult& result, const std::vector<std::pair<double, double>>& expected) {
  for (std::size_t t = 0; t < expected.size(); ++t) {
    INFO("round " << t + 1);
    // A dozen roundings of numbers below 4.
    CHECK(result.theta(t + 1, 0)[0] == Approx(expected[t].first).epsilon(1e-14));
    CHECK(result.theta(t + 1, 1)[0] == Approx(expected[t].second).epsilon(1e-14));
  }
}

/// Of the agent farthest away, after the last round.
template <class Method, class Options>
double distance_to_optimum(const PeerBench& bench, const Options& options) {
  const Optimum optimum = solve_centrally(bench.problem);
  REQUIRE(optimum.certified());
  const PeerResult result = simulate<Method>(bench, options);
  double largest = 0;
  for (AgentId i = 0; i < bench.agents(); ++i)
    largest = std::max(largest, (result.theta(static_cast<std::size_t>(bench.rounds), i) - optimum.theta).norm());
  return largest;
}

/// The rows of the first agent of the ring bench three times as long: its f_i has nine times the curvature.
inline Matrix uneven_rows(Matrix X) {
  X.topRows(20) *= 3;
  return X;
}

/// The problem of the ring bench with an l1 norm, and in an l1 ball.
inline std::vector<PeerBench> composite_benches(Round rounds) {
  PeerBench regularized = ring_bench(rounds), constrained = regularized;
  regularized.problem.regularizer = make_regularizer(L1Options{.weight = 0.3});
  constrained.problem.constraint = make_constraint(L1BallOptions{.radius = 1}, IterateShape::vector(4));
  return {regularized, constrained};
}

/// Round 3 of an agent of the ring bench with K = 2, with and without numbers: a gradient, so many flops an entry, and
/// so many mixings.
inline void check_round_costs(const PeerBench& bench, const Algorithm& algorithm, Flops of_vectors, Index mixings) {
  const PeerResult result = simulate(bench, algorithm), timing = simulate(bench, algorithm, true);
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
  CHECK(timing.ledger.total().messages_sent == result.ledger.total().messages_sent);
  CHECK(timing.ledger.total().hops == result.ledger.total().hops);
  const AgentAccount &now = result.accounts[3][1], &before = result.accounts[2][1];
  CHECK(now.flops - before.flops == 4 * 20 * 4 + of_vectors * 4 + mixings * 2 * 5 * 4);  // K = 2, deg = 2
  CHECK(now.bytes_sent - before.bytes_sent == 8 * 4 * mixings * 2 * 2);
}

using Arcs = std::vector<std::pair<AgentId, AgentId>>;

/// A ring of eight arcs and four chords: out-degrees and in-degrees are 1 or 2, and differ.
inline Arcs odd_digraph() {
  Arcs arcs = ring_edges(8);
  for (const auto& chord : Arcs{{0, 3}, {5, 2}, {6, 1}, {0, 5}}) arcs.push_back(chord);
  return arcs;
}

/// Eight agents of well-conditioned least squares, with 10 samples each.
inline PeerBench digraph_bench(Round rounds, Arcs arcs = odd_digraph()) {
  return {.problem = normal_regression(80, 4),
          .sizes = std::vector<Index>(8, 10),
          .edges = std::move(arcs),
          .rounds = rounds,
          .one_way = true};
}

/// 1 + how many arcs leave, or enter, each agent.
inline Vector divisors(const PeerBench& bench, bool out) {
  Vector counts = Vector::Ones(bench.agents());
  for (const auto& [from, to] : bench.edges) {
    ++counts[out ? from : to];
    if (!bench.one_way) ++counts[out ? to : from];
  }
  return counts;
}

/// Of agents that send to others, and to themselves: entry (i, j) is 1 where j sends to i (m x m).
inline Matrix sends(const PeerBench& bench) {
  Matrix all = Matrix::Identity(bench.agents(), bench.agents());
  for (const auto& [from, to] : bench.edges) {
    all(to, from) = 1;
    if (!bench.one_way) all(from, to) = 1;
  }
  return all;
}
inline Matrix push_matrix(const PeerBench& bench) {
  return sends(bench) * divisors(bench, true).cwiseInverse().asDiagonal();
}
inline Matrix pull_matrix(const PeerBench& bench) {
  return divisors(bench, false).cwiseInverse().asDiagonal() * sends(bench);
}

/// grad f_i at row i of X, of least squares (m x d).
inline Matrix gradients(const PeerBench& bench, const Matrix& X) {
  Matrix all(X.rows(), X.cols());
  Index first = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    const Index n = bench.sizes[static_cast<std::size_t>(i)];
    const Matrix own = bench.problem.X->dense().middleRows(first, n);
    const Vector residual = own * X.row(i).transpose() - bench.problem.y.segment(first, n);
    all.row(i) = (own.transpose() * residual / static_cast<double>(n)).transpose();
    first += n;
  }
  return all;
}

/// The first parts of all agents' reports of a round, by rows (m x d).
inline Matrix iterates(const PeerResult& result, std::size_t round) {
  const auto& report = result.reports.at(round);
  Matrix rows(std::ssize(report), report.front().front().size());
  for (std::size_t i = 0; i < report.size(); ++i) rows.row(static_cast<Index>(i)) = report[i].at(0).transpose();
  return rows;
}

/// The sum over all agents of a part of their reports of a round.
inline Vector sum_of_part(const PeerResult& result, std::size_t round, std::size_t part) {
  Vector sum = result.reports.at(round).front().at(part);
  for (std::size_t i = 1; i < result.reports[round].size(); ++i) sum += result.reports[round][i].at(part);
  return sum;
}

/// Six agents with different numbers of samples; least squares, or labels of two classes.
inline PeerBench uneven_bench(Round rounds, std::uint64_t seed = 5, bool logistic = false, double l2 = 0.2) {
  PeerBench bench{.problem = normal_regression(60, 4, seed),
                  .sizes = {14, 6, 8, 12, 10, 10},
                  .edges = {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 0}, {1, 4}},
                  .rounds = rounds};
  bench.problem.regularizer = make_regularizer(L2Options{.weight = l2});
  if (!logistic) return bench;
  bench.problem.loss = make_loss(LogisticOptions{});
  bench.problem.y = bench.problem.y.unaryExpr([](double y) { return y > 0 ? 1.0 : -1.0; });
  return bench;
}

inline double constant_of(const Algorithm& method, const std::string& name) {
  for (const auto& [known, value] : method.constants())
    if (known == name) return value;
  FAIL("no constant " << name);
  return 0;
}

/// What all agents reported in a round, one below the other (m x d).
inline Matrix reported(const PeerResult& result, std::size_t t) {
  const std::size_t m = result.reports.at(t).size();
  Matrix all(m, result.theta(t, 0).size());
  for (AgentId i = 0; i < m; ++i) all.row(i) = result.theta(t, i).transpose();
  return all;
}

/// P_K of a Laplacian by the paper's recursion; K = 0 is the Laplacian itself.
inline Matrix polynomial_of(const Matrix& L, Index K) {
  if (K == 0) return L;
  const auto [lmax, lmin] = spectrum_of(L);
  const double chi = lmax / lmin, c2 = (chi + 1) / (chi - 1), c3 = 2 * chi / ((1 + chi) * lmax);
  const Matrix I = Matrix::Identity(L.rows(), L.rows());
  Matrix before = I, x = c2 * (I - c3 * L);
  double a_before = 1, a = c2;
  for (Index k = 1; k < K; ++k) {
    const Matrix next = 2 * c2 * (x - c3 * (L * x)) - before;
    before = std::exchange(x, next);
    const double a_next = 2 * c2 * a - a_before;
    a_before = std::exchange(a, a_next);
  }
  return I - x / a;
}

/// The bench with one agent that has all samples.
inline PeerBench alone(PeerBench bench) {
  bench.sizes = {bench.problem.samples};
  bench.edges.clear();
  return bench;
}

/// The same flops, messages and bytes with and without numbers.
inline void check_timing(const PeerBench& bench, const Algorithm& method) {
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  for (AgentId i = 0; i < bench.agents(); ++i) {
    CHECK(timing.ledger.agent(i).flops == result.ledger.agent(i).flops);
    CHECK(timing.ledger.agent(i).messages_sent == result.ledger.agent(i).messages_sent);
    CHECK(timing.ledger.agent(i).bytes_sent == result.ledger.agent(i).bytes_sent);
  }
}

/// Q of each row, with the numbers that agents draw in a round of a simulation, whose seed is 1.
class StackedCompressor {
 public:
  StackedCompressor(const CompressorOptions& options, Index d) : Q_(make_compressor(options, d)) {}
  /// A round's vectors after each other: all of them take their numbers from one sequence an agent.
  std::vector<Matrix> round_of_all(Round t, const std::vector<Matrix>& all) const {
    std::vector<Matrix> compressed = all;
    for (Index i = 0; i < all[0].rows(); ++i) {
      CompressionDraws draws(1, static_cast<AgentId>(i), t);
      for (Matrix& one : compressed) {
        Vector row = one.row(i).transpose();
        Q_->compress(row, draws);
        one.row(i) = row.transpose();
      }
    }
    return compressed;
  }
  Matrix round(Round t, const Matrix& one) const { return round_of_all(t, {one})[0]; }
  const Compressor& Q() const { return *Q_; }

 private:
  std::shared_ptr<const Compressor> Q_;
};

/// One agent that holds all samples of the ring bench.
inline PeerBench one_agent(Round rounds) {
  return {.problem = normal_regression(100, 4), .sizes = {100}, .rounds = rounds};
}

/// What an agent did in round 3.
inline AgentAccount in_round_3(const PeerResult& result, AgentId agent) {
  AgentAccount done = result.accounts.at(3).at(agent);
  const AgentAccount& before = result.accounts.at(2).at(agent);
  done.flops -= before.flops;
  done.bytes_sent -= before.bytes_sent;
  return done;
}

/// The mean of the agents' iterates (d).
inline Vector mean_iterate(const PeerResult& result, std::size_t t) { return mean_of(result.reports.at(t)); }

}  // namespace lagnet::test
