#include "algorithms/federated/fed_prox.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::fed_prox_test {

using namespace lagnet::test;

namespace {

FedProxOptions fed_prox(std::int64_t E, double eta, double mu) { return {{.local_steps = E, .client_step = eta}, mu}; }

Bench three_clients(Round rounds) { return {.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = rounds}; }

}  // namespace

TEST_CASE("two local steps with a proximal term are as by hand") {
  // Client 1: 0, 0.2, then -1.8 + 0.2 mu = -1.6: 0.36; client 2: 0, 0.4, then -3 + 0.4 mu = -2.6: 0.66.
  const Bench bench{.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}), .sizes = {1, 2}};
  CHECK(simulate(bench, fed_prox(2, 0.1, 1)).w[1][0] == Approx((0.36 + 2 * 0.66) / 3).epsilon(1e-15));
}

TEST_CASE("without the proximal term FedProx is federated averaging, bit for bit, minibatches and choice included") {
  Bench bench{.problem = random_problem(60, 4, 0.01), .sizes = {10, 20, 30}, .rounds = 20};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
  FedProxOptions options = fed_prox(3, 0.05, 0);
  options.batch = 4;
  options.server_step = 0.8;
  CHECK(simulate(bench, options).w == simulate(bench, FedAvgOptions{options}).w);
  options.mu = 0.5;
  CHECK(simulate(bench, options).w != simulate(bench, FedAvgOptions{options}).w);
}

TEST_CASE("with many local steps a round is the mean of the clients' proximal points") {
  const double mu = 2;
  const Bench bench = three_clients(10);
  // The curvature of every h_k is between 2 and 2 + 8: 1 - 0.1 * 2 to the power 200 is 1e-19.
  const auto w = simulate(bench, fed_prox(200, 0.1, mu)).w;
  const Matrix X = bench.problem.X->dense();
  Vector expected = Vector::Zero(4);
  for (std::size_t t = 1; t <= 10; ++t) {
    Vector mean = Vector::Zero(4);
    Index first = 0;
    for (const Index n_k : bench.sizes) {
      const Matrix X_k = X.middleRows(first, n_k);
      const double n = static_cast<double>(n_k);
      const Matrix H = X_k.transpose() * X_k / n + mu * Matrix::Identity(4, 4);
      const Vector b = X_k.transpose() * bench.problem.y.segment(first, n_k) / n + mu * expected;
      mean += n / 40 * testing::solve(H, b);
      first += n_k;
    }
    expected = mean;
    CHECK((w[t] - expected).norm() < 1e-13);  // rounding of numbers of size 1
  }
}

TEST_CASE("one client has the central optimum as its limit, several clients come the nearer the larger mu is") {
  Bench bench = three_clients(3000);
  const Optimum best = solve_centrally(bench.problem);
  REQUIRE(best.certified());
  const auto distance = [&](double mu, std::int64_t E) {
    return (simulate(bench, fed_prox(E, 1 / (8 + mu), mu)).w.back() - best.theta).norm();
  };
  // grad h_k's mean vanishes at sum_k pi_k (I - H_k / mu + ..) grad L_k = 0: the bias falls like 1/mu, and 3000 rounds
  // contract by (1 - 0.3 / 40)^3000 = 1e-10.
  const double at_20 = distance(20, 60), at_40 = distance(40, 60);
  CHECK(at_40 > 1e-5);
  CHECK(at_20 / at_40 == Approx(2).epsilon(0.2));
  bench.sizes = {40};
  bench.rounds = 400;
  CHECK(distance(1, 60) < 1e-12);  // proximal point steps contract by 1 / (1 + 0.3)
}

TEST_CASE("the proximal term costs 3 d flops a local step, and no message") {
  const Index d = 7, E = 3, rounds = 5, n = 60;
  const Bench bench{.problem = random_problem(n, d, 0.1), .sizes = {20, 40}, .rounds = rounds};
  const Result result = simulate(bench, fed_prox(E, 0.05, 0.1));
  for (AgentId k = 1; k <= 2; ++k) {
    const Index n_k = bench.sizes[k - 1];
    const Flops c_g = 4 * n_k * d + n_k + d;
    CHECK(result.ledger.agent(k).flops == rounds * (E * (c_g + 2 * d + 2 * d + 3 * d) + d));
    CHECK(result.ledger.agent(k).bytes_sent == rounds * d * 8);
  }
  CHECK(result.ledger.agent(0).flops == rounds * 2 * 2 * d);
  CHECK(result.ledger.agent(0).bytes_sent == rounds * 2 * d * 8);
  CHECK(result.ledger.total().messages_sent == rounds * 4);
}

TEST_CASE("FedProx says its constants, and names itself where a regularizer has no subgradient") {
  struct Opaque final : Regularizer {
    double value(VectorRef) const override { return 0; }
    Vector prox(VectorRef q, double) const override { return q; }
    double conjugate(VectorRef) const override { return 0; }
  };
  Bench bench = three_clients(1);
  using Constants = std::vector<std::pair<std::string, double>>;
  CHECK(make_algorithm(fed_prox(3, 0.1, 0.5), bench.assignment())->constants() ==
        Constants{{"E", 3}, {"eta_c", 0.1}, {"eta_s", 1}, {"mu", 0.5}});
  bench.problem.regularizer = std::make_shared<const Opaque>();
  CHECK_THROWS_WITH(make_algorithm(fed_prox(3, 0.1, 0.5), bench.assignment()),
                    "kind: expected an algorithm that needs no subgradient, which this regularizer does not offer, "
                    "found fed_prox");
}

}  // namespace lagnet::fed_prox_test
