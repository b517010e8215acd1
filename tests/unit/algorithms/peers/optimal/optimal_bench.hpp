#pragma once

#include <memory>
#include <string>
#include <vector>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/peers/baseline_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

/// Benches of strongly convex problems over graphs with a few cycles.
namespace lagnet::test {

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

}  // namespace lagnet::test
