#include "algorithms/peers/optimal/ssda.hpp"

#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/softmax.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::ssda_test {

using namespace lagnet::test;

namespace {

MsdaOptions degree(Index K) {
  MsdaOptions options;
  options.polynomial.K = K;
  return options;
}

}  // namespace

TEST_CASE("The first iterates of SSDA are those computed by hand") {
  // chi = 1, eta = 1/2, kappa = 4, beta = 1/3; grad f_0*(x) = x + 2, grad f_1*(x) = (x + 4) / 4.
  const std::vector<std::pair<double, double>> expected{{2, 1}, {4.0 / 3, 7.0 / 6}, {7.0 / 6, 29.0 / 24}};
  check_iterates(simulate<Ssda>(two_agents(3), SsdaOptions{}), expected);
  check_iterates(simulate<Ssda>(two_agents(3), degree(3)), expected);  // P is the Laplacian over 2, eta twice as large
}

TEST_CASE("SSDA and MSDA are Nesterov's method on the dual as it is written down for all agents at once") {
  for (const bool logistic : {false, true})
    for (const Index K : {0, 1, 3}) {
      const PeerBench bench = uneven_bench(20, 5, logistic);
      const Ssda method(degree(K), bench.assignment());
      const PeerResult result = simulate(bench, method);
      const Matrix P = polynomial_of(laplacian_of(6, bench.edges), K);
      const double eta = constant_of(method, "eta"), beta = constant_of(method, "beta");
      Matrix x = Matrix::Zero(6, 4), y = x;
      for (std::size_t t = 1; t <= 20; ++t) {
        const Matrix theta = reported(result, t);
        // (1): 1e-12 is what Newton's method leaves; x is of the size of 1.
        CHECK((gradients(method, theta) - x).norm() < 1e-10);
        const Matrix y_new = x - eta * (P * theta);  // (2)
        x = y_new + beta * (y_new - y);              // (3)
        y = y_new;
      }
    }
}

TEST_CASE("Dual variables of MSDA add up to zero in every round whatever the problem and the degree") {
  for (const std::uint64_t seed : {1, 2, 3, 4})
    for (const Index K : {0, 2, 7}) {
      const PeerBench bench = uneven_bench(60, seed, seed % 2 == 0);
      const Ssda method(degree(K), bench.assignment());
      const PeerResult result = simulate(bench, method);
      for (std::size_t t = 1; t <= 60; ++t)  // x_i = grad f_i(theta_i), to what Newton's method leaves
        CHECK(gradients(method, reported(result, t)).colwise().sum().norm() < 1e-10);
    }
}

TEST_CASE("SSDA and MSDA reach the central optimum at sqrt(kappa chi) and sqrt(kappa) rounds") {
  for (const bool logistic : {false, true}) {
    const PeerBench bench = uneven_bench(400, 5, logistic);
    CHECK(distance_to_optimum<Ssda>(bench, SsdaOptions{}) < 1e-10);
    CHECK(distance_to_optimum<Ssda>(bench, MsdaOptions{}) < 1e-10);
  }
  PeerBench even = uneven_bench(400);
  const MethodInput pooled = even.assignment();
  MethodInput alike = pooled;
  alike.agent_weights = AgentWeights::even;
  const PeerResult result = simulate(even, Ssda(MsdaOptions{}, alike));
  const Ssda method(MsdaOptions{}, alike);
  const Vector mean = reported(result, 400).colwise().mean();
  Vector gradient = Vector::Zero(4);
  for (AgentId i = 0; i < 6; ++i) gradient += method.gradient(i, mean);
  CHECK(gradient.norm() < 1e-9);
}

TEST_CASE("A single agent is at its minimizer after a round") {
  for (const bool logistic : {false, true})
    CHECK(distance_to_optimum<Ssda>(alone(uneven_bench(1, 5, logistic)), MsdaOptions{}) < 1e-10);
}

TEST_CASE("A round of MSDA costs a solution and K exchanges and five flops an entry with and without numbers") {
  const PeerBench bench = uneven_bench(4);
  const Index d = 4;
  for (const Index K : {0, 3}) {
    const Ssda method(degree(K), bench.assignment());
    const PeerResult result = simulate(bench, method);
    for (AgentId i = 0; i < 6; ++i) {
      const Index n = bench.sizes[i], degree_i = std::ssize(bench.neighbors(i));
      const Flops G = K == 0 ? (2 * degree_i + 1) * d : K * (2 * degree_i + 6) * d;
      CHECK(result.accounts[0][i].flops == 0);
      CHECK(result.accounts[3][i].flops - result.accounts[2][i].flops == 2 * d * d + d + G + 5 * d);
      CHECK(result.accounts[1][i].flops - (2 * d * d + d + G + 5 * d) == n * d * (d + 1) + 2 * n * d + d * d * d / 3);
      CHECK(result.accounts[3][i].bytes_sent - result.accounts[2][i].bytes_sent ==
            std::max<Index>(K, 1) * degree_i * d * 8);
    }
    check_timing(bench, method);
  }
}

TEST_CASE("Problems that have no gradients of conjugates here are refused") {
  PeerBench softmax = uneven_bench(1);
  softmax.problem.loss = make_loss(SoftmaxOptions{}, Vector{{0, 1, 2}});
  softmax.problem.y = Vector::Zero(60);
  softmax.problem.shape = IterateShape::matrix(4, 3);
  softmax.problem.regularizer = make_regularizer(L2Options{.weight = 0.1});
  CHECK_THROWS_WITH(Ssda(SsdaOptions{}, softmax.assignment()),
                    "kind: expected a loss with one score a sample, for a method that needs gradients of conjugates, "
                    "found softmax");
  MethodInput timing = uneven_bench(1, 5, true).assignment();
  timing.timing_only = true;
  CHECK_THROWS_WITH(Ssda(SsdaOptions{}, timing),
                    "kind: expected the squared loss with numerics off, since Newton's steps depend on the numbers, "
                    "found logistic");
  MethodInput changing = uneven_bench(1).assignment();
  changing.network.changes = true;
  CHECK_THROWS_WITH(Ssda(SsdaOptions{}, changing), Catch::Contains("since ssda needs every exchange"));
  CHECK_THROWS_WITH(Ssda(degree(2000), uneven_bench(1).assignment()),
                    Catch::StartsWith("K: expected a degree whose polynomial has finite coefficients"));
}

}  // namespace lagnet::ssda_test
