#include "algorithms/peers/decentralized_admm.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::decentralized_admm_test {

using namespace lagnet::test;

TEST_CASE("the first iterates of decentralized ADMM are those computed by hand, exact and linearized") {
  const DecentralizedAdmmOptions exact{.penalty = 0.5, .local_step = LocalStep::exact},
      linearized{.penalty = 0.5, .damping = 4};
  check_iterates(simulate<DecentralizedAdmm>(two_agents(2), exact), {{1, 0.8}, {1.4, 1}});
  check_iterates(simulate<DecentralizedAdmm>(two_agents(2), linearized), {{0.4, 0.8}, {0.8, 0.88}});
}

TEST_CASE("decentralized ADMM reaches the central optimum") {
  // Linear convergence to rounding, which the condition number (below 10) magnifies.
  const PeerBench bench = ring_bench(1500);
  const DecentralizedAdmmOptions exact{.penalty = 0.3, .local_step = LocalStep::exact},
      linearized{.penalty = 0.3, .damping = 4};
  CHECK(distance_to_optimum<DecentralizedAdmm>(bench, exact) < 1e-12);
  CHECK(distance_to_optimum<DecentralizedAdmm>(bench, linearized) < 1e-12);
}

TEST_CASE("a round of decentralized ADMM costs a gradient and a sum, with and without numbers") {
  const PeerBench bench = ring_bench(5);
  const DecentralizedAdmm linearized({.penalty = 1, .damping = 4}, bench.assignment());
  const PeerResult result = simulate(bench, linearized);
  CHECK(result.accounts[3][1].flops - result.accounts[2][1].flops == 4 * 20 * 4 + 7 * 4 + (2 + 4) * 4);
  CHECK(result.accounts[3][1].bytes_sent - result.accounts[2][1].bytes_sent == 8 * 4 * 2);
  const DecentralizedAdmm exact({.penalty = 1, .local_step = LocalStep::exact}, bench.assignment());
  for (const DecentralizedAdmm* method : {&linearized, &exact}) {
    const PeerResult with = simulate(bench, *method), without = simulate(bench, *method, true);
    CHECK(without.ledger.total().flops == with.ledger.total().flops);
    CHECK(without.ledger.total().bytes_sent == with.ledger.total().bytes_sent);
  }
}

TEST_CASE("exact steps of decentralized ADMM factor a matrix of samples where there are fewer of them than features") {
  const Index n = 4, d = 60;
  const PeerBench bench{
      .problem = normal_regression(3 * n, d), .sizes = {n, n, n}, .edges = ring_edges(3), .rounds = 1};
  const double c = 0.5;
  const DecentralizedAdmm algorithm({.penalty = c, .local_step = LocalStep::exact}, bench.assignment());
  const PeerResult result = simulate(bench, algorithm);
  const Matrix X = bench.problem.X->as_dense()->topRows(n);
  const Matrix system = X.transpose() * X / n + 2 * c * 2 * Matrix::Identity(d, d);
  const Vector first = testing::solve(system, X.transpose() * bench.problem.y.head(n) / n);
  CHECK((result.theta(1, 0) - first).norm() < 1e-13 * first.norm());  // of a condition number below 100
  CHECK(result.accounts[1][0].flops < 8 * n * n * d);  // a d x d system has d^3 / 3, nearly ten times as many
  CHECK(*algorithm.memory() < Bytes{8} * d * d * 3);   // of three d x d matrices
}

TEST_CASE("decentralized ADMM refuses unsupported problems") {
  PeerBench bench = two_agents(1);
  CHECK_THROWS_WITH(simulate<DecentralizedAdmm>(bench, DecentralizedAdmmOptions{.penalty = 0}),
                    "penalty: expected a number above 0, found 0");
  bench.problem.loss = make_loss(HuberOptions{.threshold = 1});
  const DecentralizedAdmmOptions exact{.penalty = 1, .local_step = LocalStep::exact};
  CHECK_THROWS_WITH(simulate<DecentralizedAdmm>(bench, exact),
                    "local_step: expected linearized, since only least squares have exact steps, found exact");
  const PeerBench alone{.problem = normal_regression(5, 2), .sizes = {5}};
  CHECK_THROWS_WITH(simulate<DecentralizedAdmm>(alone, DecentralizedAdmmOptions{.penalty = 1}),
                    "kind: expected an algorithm for one agent, or a topology with 2 agents or more, found "
                    "decentralized_admm");
}

TEST_CASE("decentralized ADMM reaches the pooled optimum with a square, of uneven agents and by theory's penalty") {
  PeerBench bench{
      .problem = normal_regression(60, 4), .sizes = {5, 10, 15, 30}, .edges = ring_edges(4), .rounds = 4000};
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.3});
  const auto exact = std::pair(LocalStep::exact, std::optional<double>()),
             linearized = std::pair(LocalStep::linearized, std::optional(8.0));
  for (const auto& [step, damping] : {exact, linearized})
    CHECK(distance_to_optimum<DecentralizedAdmm>(
              bench, DecentralizedAdmmOptions{.local_step = step, .damping = damping}) < 1e-10);
}

}  // namespace lagnet::decentralized_admm_test
