#include "algorithms/peers/network_dane.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::network_dane_test {

using namespace lagnet::test;

TEST_CASE("The iterates of network DANE meet its equations for all agents at once") {
  for (const bool logistic : {false, true})
    for (const AgentWeights weights : {AgentWeights::samples, AgentWeights::even}) {
      CAPTURE(logistic);
      const double mu = 0.6;
      const PeerBench bench = uneven_bench(15, 5, logistic);
      MethodInput given = bench.assignment();
      given.agent_weights = weights;
      const NetworkDane method({.mu = mu}, given);
      const PeerResult result = simulate(bench, method);
      const Matrix W = bench.W();
      Matrix y = Matrix::Zero(6, 4), g = gradients(method, y), s = g;
      for (std::size_t t = 1; t <= 15; ++t) {
        y = W * reported(result, t - 1);  // (1)
        const Matrix h = gradients(method, y);
        s = W * s + h - g;  // (2)
        g = h;
        CHECK((s - g).colwise().sum().norm() < 1e-12);  // the sum of the s_i is that of the gradients
        const Matrix x = reported(result, t);
        CHECK((gradients(method, x) + mu * (x - y) - (g - s)).norm() < 1e-11);  // (3), as far as Newton's method goes
      }
    }
}

TEST_CASE("Network DANE reaches the central optimum") {
  for (const bool logistic : {false, true}) {
    const PeerBench bench = uneven_bench(1500, 5, logistic);
    CHECK(distance_to_optimum<NetworkDane>(bench, NetworkDaneOptions{.mu = 1}) < 1e-9);
    CHECK(distance_to_optimum<NetworkDane>(alone(uneven_bench(40, 5, logistic)), NetworkDaneOptions{.mu = 0}) < 1e-10);
  }
}

TEST_CASE("A round of network DANE costs a gradient, a solution and an exchange of two vectors") {
  const PeerBench bench = uneven_bench(4);
  const NetworkDane method({.mu = 0.5}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const Index d = 4;
  for (AgentId i = 0; i < 6; ++i) {
    const Index n = bench.sizes[i], degree = std::ssize(bench.neighbors(i));
    const Flops gradient = 4 * n * d + 2 * d, round = gradient + 2 * (2 * degree + 1) * d + 3 * d + 2 * d * d;
    CHECK(in_round_3(result, i).flops == round);
    CHECK(in_round_3(result, i).bytes_sent == degree * 2 * d * 8);
    CHECK(result.accounts[1][i].flops - round == gradient + n * d * (d + 1) + d + d * d * d / 3);
  }
  check_timing(bench, method);
}

TEST_CASE("Network DANE refuses local problems without curvature, messages that are missing and other losses") {
  const auto construct = [](const MethodInput& given, double mu) { const NetworkDane method({.mu = mu}, given); };
  CHECK_THROWS_WITH(
      construct(uneven_bench(1, 5, true, 0).assignment(), 0),
      "mu: expected above 0, or an l2 regularizer: the Hessian of agent 0's f_i may be singular, found 0");
  CHECK_NOTHROW(construct(uneven_bench(1, 5, false, 0).assignment(), 0));
  PeerBench bench = uneven_bench(1);
  bench.problem.loss = make_loss(HuberOptions{});
  CHECK_THROWS_WITH(construct(bench.assignment(), 1), Catch::Contains("second derivatives (squared, logistic)"));
  MethodInput timing = uneven_bench(1, 5, true).assignment();
  timing.timing_only = true;
  CHECK_THROWS_WITH(construct(timing, 1), Catch::Contains("the squared loss with numerics off"));
}

}  // namespace lagnet::network_dane_test
