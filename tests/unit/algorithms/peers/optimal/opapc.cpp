#include "algorithms/peers/optimal/opapc.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::opapc_test {

using namespace lagnet::test;

namespace {

OpapcOptions degree(Index K) {
  OpapcOptions options;
  options.polynomial.K = K;
  return options;
}

/// The dual variables y of all rounds, from the reported iterates x by (1), (2), (5) and (6).
std::vector<Matrix> duals(const Opapc& method, const PeerResult& result, std::size_t rounds) {
  const double tau = constant_of(method, "tau"), eta = constant_of(method, "eta"), alpha = constant_of(method, "mu");
  std::vector<Matrix> found;
  Matrix x = reported(result, 0), xf = x;
  for (std::size_t t = 1; t <= rounds; ++t) {
    const Matrix x_new = reported(result, t), xg = tau * x + (1 - tau) * xf;
    const Matrix h = gradients(method, xg) - alpha * xg;
    found.push_back((x - (1 + eta * alpha) * x_new) / eta - h);
    xf = xg + 2 * tau / (2 - tau) * (x_new - x);
    x = x_new;
  }
  return found;
}

}  // namespace

TEST_CASE("The first iterates of APAPC are those computed by hand") {
  // chi = 1, kappa = 4: tau = 1/4, eta = 1/4, theta = 2, alpha = 1.
  const std::vector<std::pair<double, double>> expected{{0.56, 0.64}, {174.0 / 175, 864.0 / 875}};
  check_iterates(simulate<Opapc>(two_agents(2), ApapcOptions{}), expected);
  check_iterates(simulate<Opapc>(two_agents(2), degree(2)),
                 expected);  // P is the Laplacian over 2, theta twice as large
}

TEST_CASE("APAPC and OPAPC are their lines written down for all agents at once") {
  for (const bool logistic : {false, true})
    for (const Index K : {0, 1, 3}) {
      const PeerBench bench = uneven_bench(40, 5, logistic);
      const Opapc method(degree(K), bench.assignment());
      const PeerResult result = simulate(bench, method);
      const Matrix P = polynomial_of(laplacian_of(6, bench.edges), K);
      const double tau = constant_of(method, "tau"), eta = constant_of(method, "eta"),
                   theta = constant_of(method, "theta"), alpha = constant_of(method, "mu");
      Matrix x = Matrix::Zero(6, 4), xf = x, y = x;
      for (std::size_t t = 1; t <= 40; ++t) {
        const Matrix xg = tau * x + (1 - tau) * xf, h = gradients(method, xg) - alpha * xg;
        y += theta * (P * ((x - eta * (h + y)) / (1 + eta * alpha)));
        const Matrix x_new = (x - eta * (h + y)) / (1 + eta * alpha);
        xf = xg + 2 * tau / (2 - tau) * (x_new - x);
        x = x_new;
        CHECK(distance(result, t, x) < 1e-12);  // hundreds of roundings of numbers of the size of 1
      }
    }
}

TEST_CASE("Dual variables of OPAPC add up to zero in every round whatever the problem and the degree") {
  for (const std::uint64_t seed : {1, 2, 3, 4})
    for (const Index K : {0, 2, 7}) {
      const PeerBench bench = uneven_bench(60, seed, seed % 2 == 0);
      const Opapc method(degree(K), bench.assignment());
      for (const Matrix& y : duals(method, simulate(bench, method), 60)) {
        CHECK(y.norm() > 1e-3);
        CHECK(y.colwise().sum().norm() < 1e-11);  // y from x divides its roundings by eta, above 1/100
      }
    }
}

TEST_CASE("APAPC and OPAPC reach the central optimum") {
  for (const bool logistic : {false, true}) {
    const PeerBench bench = uneven_bench(2500, 5, logistic);
    CHECK(distance_to_optimum<Opapc>(bench, ApapcOptions{}) < 1e-10);
    CHECK(distance_to_optimum<Opapc>(bench, OpapcOptions{}) < 1e-10);
  }
  CHECK(distance_to_optimum<Opapc>(alone(uneven_bench(600)), OpapcOptions{}) < 1e-10);
}

TEST_CASE("A round of OPAPC costs a gradient and K exchanges and 18 flops an entry with and without numbers") {
  const PeerBench bench = uneven_bench(4);
  const Index d = 4;
  for (const Index K : {0, 3}) {
    const Opapc method(degree(K), bench.assignment());
    const PeerResult result = simulate(bench, method);
    for (AgentId i = 0; i < 6; ++i) {
      const Index n = bench.sizes[i], degree_i = std::ssize(bench.neighbors(i));
      const Flops G = K == 0 ? (2 * degree_i + 1) * d : K * (2 * degree_i + 6) * d;
      CHECK(result.accounts[0][i].flops == 0);
      CHECK(result.accounts[3][i].flops - result.accounts[2][i].flops == 4 * n * d + 2 * d + G + 18 * d);
      CHECK(result.accounts[3][i].bytes_sent - result.accounts[2][i].bytes_sent ==
            std::max<Index>(K, 1) * degree_i * d * 8);
    }
    check_timing(bench, method);
  }
}

TEST_CASE("OPAPC refuses a topology that changes and regularizers with kinks") {
  MethodInput changing = uneven_bench(1).assignment();
  changing.network.changes = true;
  CHECK_THROWS_WITH(Opapc(OpapcOptions{}, changing), Catch::Contains("since opapc needs every exchange"));
  CHECK_THROWS_WITH(simulate<Opapc>(composite_benches(1)[0], OpapcOptions{}),
                    "kind: expected an algorithm with a prox for the regularizer, or a problem with l2 or none, found "
                    "opapc");
}

}  // namespace lagnet::opapc_test
