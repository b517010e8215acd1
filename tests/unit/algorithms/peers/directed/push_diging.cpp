#include "algorithms/peers/directed/push_diging.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/peers/directed/push_pull.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::push_diging_test {

using namespace lagnet::test;

TEST_CASE("push-DIGing follows its equations with the push weights as a matrix") {
  const PeerBench bench = digraph_bench(8);
  const PeerResult result = simulate<PushDiging>(bench, PushDigingOptions{.step = 0.1});
  const Matrix C = push_matrix(bench);
  Matrix U = Matrix::Zero(8, 4), X = U, Y = gradients(bench, X);
  Vector v = Vector::Ones(8);
  for (std::size_t t = 1; t <= 8; ++t) {
    U = (C * (U - 0.1 * Y)).eval();
    v = (C * v).eval();
    const Matrix before = gradients(bench, X);
    X = v.cwiseInverse().asDiagonal() * U;
    Y = (C * Y).eval() + gradients(bench, X) - before;
    // Some ten roundings of numbers of order 1 in each round.
    CHECK((iterates(result, t) - X).cwiseAbs().maxCoeff() < 1e-13);
    for (AgentId i = 0; i < 8; ++i) {
      CHECK(result.reports[t][i].at(2)[0] == Approx(v[i]).epsilon(1e-14));
      CHECK((result.reports[t][i].at(1) - (Y - gradients(bench, X)).row(i).transpose()).norm() < 1e-13);
    }
  }
}

TEST_CASE("push-DIGing keeps the sums of weights and of tracked gradients") {
  const PeerBench bench = digraph_bench(60);
  const PeerResult result = simulate<PushDiging>(bench, PushDigingOptions{.step = 0.1});
  for (std::size_t t = 0; t <= 60; ++t) {
    CAPTURE(t);
    // Each round rounds eight sums of numbers of order 1.
    CHECK(sum_of_part(result, t, 1).cwiseAbs().maxCoeff() < 1e-14 * (1 + static_cast<double>(t)));
    CHECK(std::abs(sum_of_part(result, t, 2)[0] - 8) < 1e-14 * (1 + static_cast<double>(t)));
  }
}

TEST_CASE("push-DIGing reaches the central optimum on a digraph whose degrees differ") {
  // Linear convergence to rounding, which the condition number (below 10) and the weights magnify.
  CHECK(distance_to_optimum<PushDiging>(digraph_bench(2500), PushDigingOptions{.step = 0.05}) < 1e-12);
  PeerBench regularized = digraph_bench(2500);
  regularized.problem.regularizer = make_regularizer(L2Options{.weight = 0.3});
  CHECK(distance_to_optimum<PushDiging>(regularized, PushDigingOptions{.step = 0.05}) < 1e-12);
}

TEST_CASE("on regular graphs and digraphs push-DIGing and push-pull are one method") {
  PeerBench both_ways = digraph_bench(40, ring_edges(8));
  both_ways.one_way = false;
  for (const PeerBench& bench : {both_ways, digraph_bench(40, ring_edges(8))}) {
    const PeerResult push = simulate<PushDiging>(bench, PushDigingOptions{.step = 0.03});
    const PeerResult pull = simulate<PushPull>(bench, PushPullOptions{.step = 0.03});
    for (std::size_t t = 0; t <= 40; ++t) {
      CAPTURE(t);
      // All weights are 1 but for roundings, whose effect a stable recursion does not magnify.
      CHECK((iterates(push, t) - iterates(pull, t)).cwiseAbs().maxCoeff() < 1e-13);
    }
  }
}

TEST_CASE("a single agent of push-DIGing takes gradient steps") {
  const PeerBench bench{.problem = normal_regression(10, 3), .sizes = {10}, .rounds = 5};
  const PeerResult result = simulate<PushDiging>(bench, PushDigingOptions{.step = 0.1});
  Matrix X = Matrix::Zero(1, 3);
  for (std::size_t t = 1; t <= 5; ++t) {
    X -= 0.1 * gradients(bench, X);
    CHECK((iterates(result, t) - X).norm() < 1e-14);
  }
}

TEST_CASE("a round of push-DIGing costs a gradient and sums of 2 d + 1 numbers and sends as many in one message") {
  const PeerBench bench = digraph_bench(4);
  const PushDiging method({.step = 0.1}, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  const Vector out = divisors(bench, true), in = divisors(bench, false);  // with 1 each
  for (AgentId i = 0; i < 8; ++i) {
    CHECK(result.accounts[0][i].flops == 0);  // the gradient before round 1 comes after the report
    const AgentAccount &now = result.accounts[3][i], &before = result.accounts[2][i];
    const Flops round = 4 * 10 * 4 + static_cast<Flops>(in[i]) * 9 + 5 * 4;
    CHECK(now.flops - before.flops == round);
    CHECK(result.accounts[1][i].flops == 4 * 10 * 4 + round);
    CHECK(result.ledger.agent(i).bytes_sent == 4 * 8 * 9 * static_cast<Bytes>(out[i] - 1));
    CHECK(result.ledger.agent(i).messages_sent == 4 * static_cast<std::int64_t>(out[i] - 1));
    CHECK(timing.ledger.agent(i).flops == result.ledger.agent(i).flops);
    CHECK(timing.ledger.agent(i).bytes_sent == result.ledger.agent(i).bytes_sent);
  }
}

TEST_CASE("push-DIGing refuses kinks, sets and invalid steps") {
  const PushDigingOptions options{.step = 0.1};
  std::vector<PeerBench> benches = composite_benches(1);
  CHECK_THROWS_WITH(simulate<PushDiging>(benches[0], options),
                    "kind: expected an algorithm with a prox for the regularizer, or a problem with l2 or none, found "
                    "push_diging");
  CHECK_THROWS_WITH(
      simulate<PushDiging>(benches[1], options),
      "kind: expected an algorithm that keeps iterates in a set, or a problem without a constraint, found "
      "push_diging");
  PeerBench kinked = digraph_bench(1);
  kinked.problem.loss = make_loss(HingeOptions{});
  CHECK_THROWS_AS(simulate<PushDiging>(kinked, options), Diagnosed);
  CHECK_THROWS_AS(simulate<PushDiging>(digraph_bench(1), PushDigingOptions{.step = 0}), Diagnosed);
}

}  // namespace lagnet::push_diging_test
