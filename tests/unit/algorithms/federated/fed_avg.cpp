#include "algorithms/federated/fed_avg.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::fed_avg_test {

using namespace lagnet::test;

namespace {

/// Two clients with one feature: gradients w - 2 and 2.5 w - 4.
Bench two_clients() { return {.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}), .sizes = {1, 2}}; }

}  // namespace

TEST_CASE("two local steps of two clients are as by hand") {
  // Client 1: 0, 0.2, 0.38; client 2: 0, 0.4, 0.7; weights 1/3 and 2/3.
  const auto w = simulate(two_clients(), FedAvgOptions{{.local_steps = 2, .client_step = 0.1}}).w;
  REQUIRE(w.size() == 2);
  CHECK(w[0] == scalar(0));
  CHECK(w[1][0] == Approx((0.38 + 2 * 0.7) / 3).epsilon(1e-15));
  const auto half =
      simulate(two_clients(), FedAvgOptions{{.local_steps = 2, .client_step = 0.1, .server_step = 0.5}}).w;
  CHECK(half[1][0] == Approx((0.38 + 2 * 0.7) / 6).epsilon(1e-15));
}

TEST_CASE("subgradients of l1 and l2 terms enter each local step") {
  Bench bench = two_clients();
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = 0.5, .l2_weight = 1});
  // sign(0) = 0: client 1 0.2, then -1.8 + 0.5 + 0.2 = -1.1: 0.31; client 2 0.4, then -3 + 0.5 + 0.4 = -2.1: 0.61.
  const auto w = simulate(bench, FedAvgOptions{{.local_steps = 2, .client_step = 0.1}}).w;
  CHECK(w[1][0] == Approx((0.31 + 2 * 0.61) / 3).epsilon(1e-15));
}

TEST_CASE("one full local step of all clients is gradient descent, which reaches the central optimum") {
  Bench bench{.problem = random_problem(40, 3, 0, 0.1), .sizes = {5, 15, 20}, .rounds = 400};
  const auto w = simulate(bench, FedAvgOptions{{.client_step = 0.5}}).w;
  const Matrix X = bench.problem.X->dense();
  Vector expected = Vector::Zero(3);
  for (Round t = 1; t <= 5; ++t) {
    expected -= 0.5 * (X.transpose() * (X * expected - bench.problem.y) / 40 + 0.1 * expected);
    // Sums of 40 products in another order.
    CHECK((w[static_cast<std::size_t>(t)] - expected).norm() < 1e-14);
  }
  const Optimum optimum = solve_centrally(bench.problem);
  REQUIRE(optimum.certified());
  // Each step shrinks the distance by 1 - 0.5 (0.1 + smallest eigenvalue) < 0.95: 400 of them by 1e-9.
  CHECK((w.back() - optimum.theta).norm() < 1e-8);
}

TEST_CASE("more local steps have the fixed point of the averaged local maps, which is not the optimum") {
  Bench bench{.problem = random_problem(12, 3), .sizes = {4, 8}, .rounds = 300};
  const Index E = 5;
  const double eta = 0.1;
  const auto w = simulate(bench, FedAvgOptions{{.local_steps = E, .client_step = eta}}).w;
  const Matrix X = bench.problem.X->dense();
  Matrix A = Matrix::Identity(3, 3);  // w = (I - A) w + b after a round
  Vector b = Vector::Zero(3);
  for (const auto& [first, count] : {std::pair<Index, Index>(0, 4), std::pair<Index, Index>(4, 8)}) {
    const auto X_k = X.middleRows(first, count);
    const double n_k = static_cast<double>(count);
    const Matrix M = Matrix::Identity(3, 3) - eta * X_k.transpose() * X_k / n_k;
    const Vector c = eta * X_k.transpose() * bench.problem.y.segment(first, count) / n_k;
    Matrix power = Matrix::Identity(3, 3);
    for (Index j = 0; j < E; ++j) {
      b += n_k / 12 * power * c;
      power = power * M;
    }
    A -= n_k / 12 * power;
  }
  // 300 rounds contract by far more than 1e-12, the rounding of a few steps remains.
  CHECK((w.back() - testing::solve(A, b)).norm() < 1e-12);
  CHECK((w.back() - solve_centrally(bench.problem).theta).norm() > 1e-3);
}

TEST_CASE("minibatches depend only on the seed, not on latencies or threads", "[threads]") {
  Bench bench{.problem = random_problem(60, 4, 0.01), .sizes = {10, 20, 30}, .rounds = 20};
  const FedAvgOptions options{{.local_steps = 3, .batch = 4, .client_step = 0.05}};
  const auto plain = simulate(bench, options).w;
  bench.latencies_ns = {5'000'000, 100, 70'000};
  bench.threads = 3;
  CHECK(simulate(bench, options).w == plain);
  CHECK(simulate(bench, FedAvgOptions{{.local_steps = 3, .client_step = 0.05}}).w != plain);
  CHECK(simulate(bench, FedAvgOptions{{.local_steps = 3, .batch = 30, .client_step = 0.05}}).w ==
        simulate(bench, FedAvgOptions{{.local_steps = 3, .client_step = 0.05}}).w);
}

TEST_CASE("a round costs the flops, messages and bytes of the sheet's table") {
  const Index d = 7, E = 3, b = 4, rounds = 5, m = 2;
  for (const double l1 : {0.0, 0.1}) {
    Bench bench{.problem = random_problem(60, d, l1), .sizes = {10, 3, 17, 30}, .rounds = rounds};
    bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, m));
    const Result result = simulate(bench, FedAvgOptions{{.local_steps = E, .batch = b, .client_step = 0.05}});
    std::map<AgentId, Index> asked = times_asked(bench);
    const Index subgradient = l1 > 0 ? 2 * d : 0;
    for (AgentId k = 1; k <= 4; ++k) {
      const Index batch = std::min(b, bench.sizes[k - 1]);
      const Flops c_g = 4 * batch * d + batch + d;
      CHECK(result.ledger.agent(k).flops == asked[k] * (E * (c_g + 2 * d + subgradient) + d));
      CHECK(result.ledger.agent(k).bytes_sent == asked[k] * d * 8);
    }
    CHECK(result.ledger.agent(0).flops == rounds * 2 * m * d);
    CHECK(result.ledger.agent(0).bytes_sent == rounds * m * d * 8);
    CHECK(result.ledger.total().messages_sent == rounds * 2 * m);
    CHECK(result.ledger.total().hops == 2 * rounds);
  }
}

TEST_CASE("a client's work belongs to the round that it was asked in") {
  Bench bench{.problem = random_problem(6, 2), .sizes = {3, 3}, .rounds = 4};
  const Result result = simulate(bench, FedAvgOptions{{.client_step = 0.1}});
  std::vector<Round> rounds;
  for (const SimEvent& one : result.log.all)
    if (one.what == EventKind::computed && one.agent == 2) rounds.push_back(one.round);
  CHECK(rounds == std::vector<Round>{1, 2, 3, 4});
}

TEST_CASE("where some answers are enough, the mean is over those that came, and the others are late") {
  Bench bench = two_clients();
  bench.rounds = 2;
  bench.latencies_ns = {1'000, 9'000};
  bench.model.round_rule.enough = 1;
  const Result result = simulate(bench, FedAvgOptions{{.client_step = 0.1}});
  CHECK(result.w[1][0] == Approx(0.2).epsilon(1e-15));   // client 1 alone: 0.1 * 2
  CHECK(result.w[2][0] == Approx(0.38).epsilon(1e-15));  // 0.2 + 0.1 * 1.8
  CHECK(result.ledger.agent(0).dropped == 2);
}

TEST_CASE("a slow client answers the newest request, and the older ones are superseded") {
  Bench bench = two_clients();
  bench.rounds = 12;
  bench.latencies_ns = {1'000'000, 1'000'000};
  bench.model.round_rule.deadline = Duration::milliseconds(10);
  bench.speeds = {1e9, 1e9, 1e3};  // client 2 takes 3 ms a sample and the round is closed in the course of some work
  const FedAvgOptions options{{.local_steps = 2, .client_step = 0.1}};
  const Result result = simulate(bench, options);
  // E (4 b d + b + d + 2 d) + d = 27 flops take 27 ms, beyond the deadline: every answer of client 2 is late.
  CHECK(result.ledger.agent(2).superseded > 0);
  CHECK(result.ledger.agent(0).late > 0);
  CHECK(result.w[1][0] == Approx(0.38).epsilon(1e-15));
  const FedAvg method(options, bench.assignment());
  CHECK(method.remarks({}).empty());
  CHECK(texts_of(method.remarks({.missing = 3})) ==
        std::vector<std::string>{"3 answers of clients were not there when their rounds were "
                                 "closed: each mean is over those that came"});
}

TEST_CASE("the model does not change in a round without answers in time") {
  Bench bench = two_clients();
  bench.rounds = 3;
  bench.model.round_rule.deadline = Duration::nanoseconds(10);
  const Result result = simulate(bench, FedAvgOptions{{.client_step = 0.1}});
  for (const Vector& w : result.w) CHECK(w == scalar(0));
  CHECK(result.ledger.agent(0).dropped == 6);
  CHECK(result.ledger.agent(0).flops == 0);
}

TEST_CASE("sparse data give the iterates of dense ones at fewer flops") {
  Bench bench{.problem = random_problem(30, 6), .sizes = {10, 20}, .rounds = 10};
  Matrix X = bench.problem.X->dense();
  X = (X.array() > 0.3).select(X, 0);
  bench.problem.X = std::make_shared<const DataMatrix>(X);
  const FedAvgOptions options{{.local_steps = 2, .batch = 3, .client_step = 0.05}};
  const Result dense = simulate(bench, options);
  bench.problem.X = std::make_shared<const DataMatrix>(SparseMatrix(X.sparseView()));
  const Result sparse = simulate(bench, options);
  CHECK((dense.w.back() - sparse.w.back()).norm() < 1e-14);  // sums of 6 products without their zeros
  CHECK(sparse.ledger.total().flops < dense.ledger.total().flops);
}

TEST_CASE("a regularizer without subgradients is refused") {
  struct Opaque final : Regularizer {
    double value(VectorRef) const override { return 0; }
    Vector prox(VectorRef q, double) const override { return q; }
    double conjugate(VectorRef) const override { return 0; }
  };
  Bench bench = two_clients();
  bench.problem.regularizer = std::make_shared<const Opaque>();
  CHECK_THROWS_WITH(FedAvg({{.client_step = 0.1}}, bench.assignment()),
                    "kind: expected an algorithm that needs no subgradient, which this regularizer does not offer, "
                    "found fed_avg");
}

}  // namespace lagnet::fed_avg_test
