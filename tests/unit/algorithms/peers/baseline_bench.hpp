#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

/// Benches on which methods of peers with a step size are compared.
namespace lagnet::test {

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

}  // namespace lagnet::test
