#include "algorithms/peers/directed/subgradient_push.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::subgradient_push_test {

using namespace lagnet::test;

namespace {

constexpr double l1 = 0.2, l2 = 0.1;

PeerBench with_elastic_net(PeerBench bench) {
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = l1, .l2_weight = l2});
  return bench;
}

}  // namespace

TEST_CASE("subgradient-push follows its equations with the push weights as a matrix") {
  const PeerBench bench = with_elastic_net(digraph_bench(8));
  const PeerResult result = simulate<SubgradientPush>(bench, SubgradientPushOptions{.step = 0.3, .decay = 0.75});
  const Matrix C = push_matrix(bench);
  Matrix X = Matrix::Zero(8, 4);
  Vector y = Vector::Ones(8);
  for (std::size_t t = 1; t <= 8; ++t) {
    const Matrix S = C * X;
    y = (C * y).eval();
    const Matrix Z = y.cwiseInverse().asDiagonal() * S;
    const Matrix of_r = l1 * Z.array().sign().matrix() + l2 * Z;
    X = S - 0.3 / std::pow(static_cast<double>(t), 0.75) * (gradients(bench, Z) + of_r);
    // Some ten roundings of numbers of order 1 in each round.
    CHECK((iterates(result, t) - Z).cwiseAbs().maxCoeff() < 1e-13);
    CHECK(std::abs(sum_of_part(result, t, 1)[0] - 8) < 1e-13);
  }
}

TEST_CASE("subgradient-push comes near the optimum with falling steps and stays away with constant ones") {
  const PeerBench bench = digraph_bench(4000), shorter = digraph_bench(400);
  const SubgradientPushOptions falling{.step = 0.3}, constant{.step = 0.05, .decay = 0};
  const double early = distance_to_optimum<SubgradientPush>(shorter, falling);
  const double late = distance_to_optimum<SubgradientPush>(bench, falling);
  // Like the step of the round: a tenth of the way in ten times the rounds would be decay 1, a third is decay 1/2.
  CHECK(late < 0.5 * early);
  CHECK(late > 0.1 * early);
  const double stalled = distance_to_optimum<SubgradientPush>(shorter, constant);
  CHECK(distance_to_optimum<SubgradientPush>(bench, constant) == Approx(stalled).epsilon(1e-6));
  CHECK(stalled > 1e-3);
}

TEST_CASE("one agent alone does subgradient steps and reports a round later") {
  const PeerBench bench = with_elastic_net({.problem = normal_regression(10, 3), .sizes = {10}, .rounds = 5});
  const PeerResult result = simulate<SubgradientPush>(bench, SubgradientPushOptions{.step = 0.2});
  Matrix X = Matrix::Zero(1, 3);
  for (std::size_t t = 1; t <= 5; ++t) {
    CHECK((iterates(result, t) - X).norm() < 1e-14);
    const Matrix of_r = l1 * X.array().sign().matrix() + l2 * X;
    X -= 0.2 / std::sqrt(static_cast<double>(t)) * (gradients(bench, X) + of_r);
  }
}

TEST_CASE(
    "a round of subgradient-push costs a gradient and sums of d + 1 numbers and two flops an entry for each norm") {
  for (const bool has_norms : {false, true}) {
    const PeerBench bench = has_norms ? with_elastic_net(digraph_bench(4)) : digraph_bench(4);
    const SubgradientPush method({.step = 0.1}, bench.assignment());
    const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
    const Vector out = divisors(bench, true), in = divisors(bench, false);  // with 1 each
    for (AgentId i = 0; i < 8; ++i) {
      const AgentAccount &now = result.accounts[3][i], &before = result.accounts[2][i];
      const Flops norms = has_norms ? 2 * 2 * 4 : 0;
      CHECK(now.flops - before.flops == 4 * 10 * 4 + static_cast<Flops>(in[i]) * 5 + 3 * 4 + norms);
      CHECK(result.ledger.agent(i).bytes_sent == 4 * 8 * 5 * static_cast<Bytes>(out[i] - 1));
      CHECK(timing.ledger.agent(i).flops == result.ledger.agent(i).flops);
      CHECK(timing.ledger.agent(i).bytes_sent == result.ledger.agent(i).bytes_sent);
    }
  }
}

TEST_CASE("subgradient-push takes only norms of entries") {
  PeerBench bench = digraph_bench(1);
  bench.problem.regularizer =
      make_regularizer(GroupLassoOptions{.weight = 0.1, .group_size = 2}, IterateShape::vector(4));
  CHECK_THROWS_WITH(
      simulate<SubgradientPush>(bench, SubgradientPushOptions{.step = 0.1}),
      "kind: expected an algorithm with a prox for the regularizer, or a problem with l1, l2, elastic_net "
      "or none, found subgradient_push");
}

}  // namespace lagnet::subgradient_push_test
