#include "algorithms/peers/directed/push_pull.hpp"

#include <catch2/catch.hpp>

#include "algorithms/peers/gradient_tracking.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::push_pull_test {

using namespace lagnet::test;

namespace {

constexpr auto adapt_first = PushPullForm::adapt_then_combine, combine_first = PushPullForm::combine_then_adapt;

PushPullOptions with_step(double step, PushPullForm form) { return {.step = step, .form = form}; }

}  // namespace

TEST_CASE("push-pull follows its equations in both forms with the weights as matrices") {
  const PeerBench bench = digraph_bench(8);
  const Matrix C = push_matrix(bench), R = pull_matrix(bench);
  for (const PushPullForm form : {adapt_first, combine_first}) {
    const PeerResult result = simulate<PushPull>(bench, with_step(0.1, form));
    Matrix X = Matrix::Zero(8, 4), Y = gradients(bench, X);
    for (std::size_t t = 1; t <= 8; ++t) {
      const Matrix before = gradients(bench, X);
      X = form == adapt_first ? (R * (X - 0.1 * Y)).eval() : (R * X - 0.1 * Y).eval();
      Y = (C * Y).eval() + gradients(bench, X) - before;
      // Some ten roundings of numbers of order 1 in each round.
      CHECK((iterates(result, t) - X).cwiseAbs().maxCoeff() < 1e-13);
      CHECK(sum_of_part(result, t, 1).cwiseAbs().maxCoeff() < 1e-13);
    }
  }
}

TEST_CASE("push-pull reaches the central optimum in both forms on a digraph whose degrees differ") {
  // Linear convergence to rounding, which the condition number (below 10) and the weights magnify.
  for (const PushPullForm form : {adapt_first, combine_first})
    CHECK(distance_to_optimum<PushPull>(digraph_bench(2500), with_step(0.05, form)) < 1e-12);
}

TEST_CASE("where all agents have one degree the second form of push-pull is DIGing with Metropolis weights") {
  PeerBench bench = digraph_bench(40, ring_edges(8));
  bench.one_way = false;
  bench.lazy = false;
  const PeerResult pull = simulate<PushPull>(bench, with_step(0.03, combine_first));
  const PeerResult tracking = simulate<GradientTracking>(bench, GradientTrackingOptions{{.step = 0.03}});
  for (std::size_t t = 0; t <= 40; ++t) {
    CAPTURE(t);
    // The same sums in another order, in a stable recursion.
    CHECK((iterates(pull, t) - iterates(tracking, t)).cwiseAbs().maxCoeff() < 1e-13);
  }
}

TEST_CASE("one agent alone does gradient descent by push-pull in both forms") {
  const PeerBench bench{.problem = normal_regression(10, 3), .sizes = {10}, .rounds = 5};
  for (const PushPullForm form : {adapt_first, combine_first}) {
    const PeerResult result = simulate<PushPull>(bench, with_step(0.1, form));
    Matrix X = Matrix::Zero(1, 3);
    for (std::size_t t = 1; t <= 5; ++t) {
      X -= 0.1 * gradients(bench, X);
      CHECK((iterates(result, t) - X).norm() < 1e-14);
    }
  }
}

TEST_CASE("a round of push-pull costs a gradient and sums of 2 d numbers in both forms") {
  const PeerBench bench = digraph_bench(4);
  const Vector out = divisors(bench, true), in = divisors(bench, false);  // with 1 each
  for (const PushPullForm form : {adapt_first, combine_first}) {
    const PushPull method(with_step(0.1, form), bench.assignment());
    const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
    for (AgentId i = 0; i < 8; ++i) {
      const AgentAccount &now = result.accounts[3][i], &before = result.accounts[2][i];
      CHECK(now.flops - before.flops == 4 * 10 * 4 + (2 * (static_cast<Flops>(in[i]) - 1) + 6) * 4);
      CHECK(result.ledger.agent(i).bytes_sent == 4 * 8 * 8 * static_cast<Bytes>(out[i] - 1));
      CHECK(timing.ledger.agent(i).flops == result.ledger.agent(i).flops);
      CHECK(timing.ledger.agent(i).bytes_sent == result.ledger.agent(i).bytes_sent);
    }
  }
}

}  // namespace lagnet::push_pull_test
