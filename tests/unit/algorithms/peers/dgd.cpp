#include "algorithms/peers/dgd.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::dgd_test {

using namespace lagnet::test;

TEST_CASE("the first iterates of decentralized gradient descent are those computed by hand") {
  check_iterates(simulate<Dgd>(two_agents(2), DgdOptions{{.step = 0.1}}), {{0.2, 0.4}, {0.43, 0.59}});
}

TEST_CASE("a decaying step of gradient descent falls with the round") {
  // Round 2: alpha = 0.05: 0.25 + 0.09, 0.35 + 0.12.
  check_iterates(simulate<Dgd>(two_agents(2), DgdOptions{{.step = 0.1}, 1.0}), {{0.2, 0.4}, {0.34, 0.47}});
}

TEST_CASE("plain gradient descent reaches a neighborhood of the optimum, of the order of its step") {
  const PeerBench bench = ring_bench(1500);
  const double near = distance_to_optimum<Dgd>(bench, DgdOptions{{.step = 0.01}}),
               far = distance_to_optimum<Dgd>(bench, DgdOptions{{.step = 0.1}});
  CHECK(near > 1e-6);
  CHECK(far / near == Approx(10).epsilon(0.5));
}

TEST_CASE("more rounds of gossip in each mixing bring gradient descent nearer") {
  const PeerBench bench = ring_bench(800);
  // rho^6 is 0.15 where rho is 0.73: the part of the bias that comes from the mixing all but goes.
  const double once = distance_to_optimum<Dgd>(bench, DgdOptions{{.step = 0.1}});
  CHECK(distance_to_optimum<Dgd>(bench, DgdOptions{{.step = 0.1, .mixing = {.rounds = 6}}}) < once / 2);
}

TEST_CASE("a round of gradient descent costs a gradient and a mixing") {
  const PeerBench bench = ring_bench(5);
  check_round_costs(bench, Dgd({{.step = 0.1, .mixing = {.rounds = 2}}}, bench.assignment()), 2, 1);
}

TEST_CASE("gradient descent refuses a loss with kinks") {
  PeerBench bench = two_agents(1);
  bench.problem.loss = make_loss(AbsoluteOptions{});
  CHECK_THROWS_WITH(
      simulate<Dgd>(bench, DgdOptions{{.step = 1}}),
      "kind: expected an algorithm that needs no gradient, which this loss does not have everywhere (smoothed_hinge "
      "and huber have it), found dgd");
}

TEST_CASE("where a message is missing its weight goes to the own vector") {
  // Nobody hears anybody: every agent solves its own problem, and stays where its own gradient vanishes.
  PeerBench bench = two_agents(200);
  bench.model.missing = {.kind = MissingNeighborKind::skip, .deadline = Duration::nanoseconds(10)};
  const PeerResult result = simulate<Dgd>(bench, DgdOptions{{.step = 0.2}});
  CHECK(result.theta(200, 0)[0] == Approx(2).epsilon(1e-12));  // 0.8^200
  CHECK(result.theta(200, 1)[0] == Approx(1).epsilon(1e-12));
}

TEST_CASE("the theoretical step of DGD is half of (1 + the smallest eigenvalue of W^K) / L, and is in the constants") {
  PeerBench bench = two_agents(1);  // curvatures 1 and 4; W has the eigenvalues 1 and 1/2
  const auto step_with = [&](std::optional<std::int64_t> K) {
    return Dgd(DgdOptions{{.mixing = {.rounds = K}}}, bench.assignment()).constants().at(0);
  };
  CHECK(step_with(1).first == "step");
  // The eigenvalues and norms of two numbers are rounded a few times.
  CHECK(step_with(1).second == Approx(1.5 / 8).epsilon(1e-14));
  CHECK(step_with(2).second ==
        Approx(1.0 / 8).epsilon(1e-14));  // an even power has no negative eigenvalue: 0 stands for it
  CHECK(step_with(3).second == Approx(1.125 / 8).epsilon(1e-14));
}

TEST_CASE("gradient descent that adapts first mixes iterates that have taken their steps") {
  const PeerBench bench = ring_bench(30);
  const Dgd method(DgdOptions{{.step = 0.1}, 0.5, DgdForm::adapt_then_combine}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim());
  for (std::size_t t = 1; t <= 30; ++t) {
    x = bench.W() * (x - 0.1 / std::sqrt(static_cast<double>(t)) * gradients(method, x));
    CHECK(distance(result, t, x) < 1e-13);  // roundings of numbers of order 1, which the contraction does not add up
  }
  check_round_costs(
      bench, Dgd({{.step = 0.1, .mixing = {.rounds = 2}}, 0, DgdForm::adapt_then_combine}, bench.assignment()), 2, 1);
}

TEST_CASE("the constraint of gradient descent holds after the mixing in both forms") {
  for (const DgdForm form : {DgdForm::combine_then_adapt, DgdForm::adapt_then_combine}) {
    const PeerBench bench = composite_benches(20)[1];
    const PeerResult result = simulate<Dgd>(bench, DgdOptions{{.step = 0.1}, 0, form});
    for (AgentId i = 0; i < bench.agents(); ++i) CHECK(result.theta(20, i).lpNorm<1>() < 1 + 1e-12);
  }
}

TEST_CASE("gradient descent with momentum ends where a larger step does, and further from the optimum") {
  // At a fixed point u = momentum u + g, so that u = g / (1 - momentum): that of 5 times the step.
  const PeerBench bench = ring_bench(3000);
  const DgdOptions plain{{.step = 0.02}}, larger{{.step = 0.1}}, heavy{{.step = 0.02}, 0, {}, {.momentum = 0.8}};
  const PeerResult of_heavy = simulate<Dgd>(bench, heavy), of_larger = simulate<Dgd>(bench, larger);
  for (AgentId i = 0; i < bench.agents(); ++i)  // contractions to roundings of numbers of order 1
    CHECK((of_heavy.theta(3000, i) - of_larger.theta(3000, i)).norm() < 1e-13);
  CHECK(distance_to_optimum<Dgd>(bench, heavy) > 2 * distance_to_optimum<Dgd>(bench, plain));
}

}  // namespace lagnet::dgd_test
