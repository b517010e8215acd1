#include "algorithms/federated/consensus_admm.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::consensus_admm_test {

using namespace lagnet::test;

namespace {

ConsensusAdmmOptions exact(double rho, double alpha = 1) { return {.penalty = rho, .relaxation = alpha}; }
ConsensusAdmmOptions by_gradients(double rho, double accuracy, double alpha = 1) {
  return {.penalty = rho, .relaxation = alpha, .local_minimizer = LocalMinimizer::gradient, .accuracy = accuracy};
}

/// Two clients with one feature, of three samples: pi_k grad L_k are (w - 2) / 3 and (5 w - 8) / 3.
Bench two_clients(Round rounds, double l1 = 0) {
  return {.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}, make_loss(SquaredOptions{}), l1),
          .sizes = {1, 2},
          .rounds = rounds};
}

double relative_error(const Problem& problem, const Vector& w) {
  const Optimum best = solve_centrally(problem);
  REQUIRE(best.certified());
  return (problem.objective(w) - best.value) / (problem.objective(Vector::Zero(w.size())) - best.value);
}

}  // namespace

TEST_CASE("two rounds of consensus ADMM are as by hand") {
  // x = 0.5 and 1; u = -0.25 and 0.25; then (4/3) x = 2/3 + 1 and (8/3) x = 8/3 + 0.5.
  const auto w = simulate(two_clients(2), exact(1)).w;
  CHECK(w[0] == scalar(0));
  CHECK(w[1][0] == Approx(0.75).epsilon(1e-15));
  CHECK(w[2][0] == Approx((1.25 - 0.25 + 1.1875 + 0.25) / 2).epsilon(1e-15));
  CHECK(simulate(two_clients(1, 0.5), exact(1)).w[1][0] == Approx(0.5).epsilon(1e-15));    // threshold 0.5 / (2 rho)
  CHECK(simulate(two_clients(1), exact(1, 1.5)).w[1][0] == Approx(1.125).epsilon(1e-15));  // 1.5 x_k
  CHECK(simulate(two_clients(2), by_gradients(1, 1e-14)).w[2][0] == Approx(1.21875).epsilon(1e-13));
}

TEST_CASE("one client makes consensus ADMM the scaled ADMM of the whole problem, by either factor") {
  const double rho = 0.3, alpha = 1.4;
  for (const Index d : {4, 60}) {  // more samples than features, and fewer
    Bench bench{.problem = lasso(40, d, 0.1), .sizes = {40}, .rounds = 50};
    const Matrix X = bench.problem.X->dense();
    const auto w = simulate(bench, exact(rho, alpha)).w;
    bench.problem.X = std::make_shared<const DataMatrix>(SparseMatrix(X.sparseView()));
    const auto sparse = simulate(bench, exact(rho, alpha)).w;
    const Matrix inverse = testing::inverse(X.transpose() * X / 40 + rho * Matrix::Identity(d, d));
    Vector z = Vector::Zero(d), u = Vector::Zero(d);
    for (std::size_t t = 1; t <= 50; ++t) {
      const Vector x = inverse * (X.transpose() * bench.problem.y / 40 + rho * (z - u));
      const Vector x_hat = alpha * x + (1 - alpha) * z;
      z = bench.problem.regularizer->prox(x_hat + u, 1 / rho);
      u += x_hat - z;
      // A condition number below 30, and 50 steps that do not expand.
      CHECK((w[t] - z).norm() < 1e-12);
      CHECK((sparse[t] - z).norm() < 1e-12);
    }
  }
}

TEST_CASE("with exact or accurate local steps consensus ADMM reaches the certified optimum of clients that differ") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 300};
  // Linear convergence to the accuracy of the certificate, 1e-10, where rho is of the order of the curvature / 3.
  CHECK(relative_error(bench.problem, simulate(bench, exact(0.3)).w.back()) < 1e-9);
  CHECK(relative_error(bench.problem, simulate(bench, exact(0.3, 1.6)).w.back()) < 1e-9);
  bench.problem.loss = make_loss(HuberOptions{.threshold = 0.7});
  CHECK(relative_error(bench.problem, simulate(bench, by_gradients(0.3, 1e-11)).w.back()) < 1e-9);
  bench.problem.loss = make_loss(LogisticOptions{});
  bench.problem.y = bench.problem.y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.02});
  CHECK(relative_error(bench.problem, simulate(bench, by_gradients(0.1, 1e-11)).w.back()) < 1e-9);
  bench.problem = softmax_lasso(60, 4, 3, 0.02);
  bench.sizes = {10, 20, 30};
  CHECK(relative_error(bench.problem, simulate(bench, by_gradients(0.1, 1e-11)).w.back()) < 1e-8);
}

TEST_CASE("the iterates of local gradient steps are those of exact ones to the stated accuracy") {
  for (const double alpha : {1.0, 1.5}) {
    Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 50};
    const auto of_exact = simulate(bench, exact(0.3, alpha)).w;
    for (const double accuracy : {1e-4, 1e-10}) {
      const auto w = simulate(bench, by_gradients(0.3, accuracy, alpha)).w;
      // An iteration does not expand distances of (z, u_k); in each every x_hat errs by alpha accuracy at most: sqrt(3)
      // clients, 50 rounds, and rounding beside.
      const double bound = 50 * std::sqrt(3.0) * alpha * accuracy + 1e-13;
      for (std::size_t t = 0; t <= 50; ++t) CHECK((w[t] - of_exact[t]).norm() <= bound);
    }
    CHECK(simulate(bench, by_gradients(0.3, 1e-4, alpha)).ledger.total().flops <
          simulate(bench, by_gradients(0.3, 1e-10, alpha)).ledger.total().flops);
  }
}

TEST_CASE("iterates keep to a set, and reach the best point in it") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 400};
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 0.2}, IterateShape::vector(4));
  const Optimum best = solve_centrally(bench.problem);
  REQUIRE(best.certified());
  const auto w = simulate(bench, exact(0.3)).w;
  for (const Vector& of_round : w) CHECK(of_round.lpNorm<1>() <= 0.2 * (1 + 1e-14));  // a sum of four
  CHECK((w.back() - best.theta).norm() < 1e-6);  // a gap of 1e-10 bounds the distance by its root
}

TEST_CASE("a round costs a solve with the factor of the start, and two vectors each") {
  const Index d = 7, rounds = 5, m = 2;
  Bench bench{.problem = lasso(60, d, 0.1), .sizes = {10, 3, 17, 30}, .rounds = rounds};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, m));
  std::map<AgentId, Index> asked = times_asked(bench);
  for (const double alpha : {1.0, 1.5}) {
    const Result result = simulate(bench, exact(0.3, alpha));
    for (AgentId k = 1; k <= 4; ++k) {
      const Index n = bench.sizes[k - 1], order = std::min(n, d);
      const Flops gram = n * d * order, start = gram + order + order * order * order / 3 + 2 * n * d;
      const Flops solve = n < d ? 2 * n * n + 4 * n * d + 2 * d : 2 * d * d;
      CHECK(result.ledger.agent(k).flops == start + asked[k] * (solve + (alpha == 1 ? 6 : 9) * d));
      CHECK(result.ledger.agent(k).bytes_sent == asked[k] * d * 8);
    }
    CHECK(result.ledger.agent(0).flops == rounds * (2 * m * d + d + 3 * d));
    CHECK(result.ledger.agent(0).bytes_sent == rounds * m * d * 8);
    CHECK(result.ledger.total().messages_sent == rounds * 2 * m);
    CHECK(result.ledger.total().hops == 2 * rounds);
  }
}

TEST_CASE("gradients of local steps are billed one by one") {
  const Index d = 7, n = 20;
  const Bench bench{.problem = lasso(n, d, 0.1), .sizes = {n}, .rounds = 4};
  const Flops flops = simulate(bench, by_gradients(0.3, 1e-6)).ledger.agent(1).flops;
  const Flops each = 4 * n * d + n + d + 11 * d, gradients = (flops - 4 * 4 * d) / each;
  CHECK(flops == 4 * 4 * d + gradients * each);
  CHECK(gradients > 4 * 3);    // more than a few
  CHECK(gradients < 4 * 200);  // a condition number of about 10 takes sqrt(10) log(1e6) steps, and as many again
}

TEST_CASE("with some clients asked in each round the newest answers of all lead to the optimum too") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 10, 12, 13}, .rounds = 900};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
  CHECK(relative_error(bench.problem, simulate(bench, exact(0.3)).w.back()) < 1e-9);
}

TEST_CASE("a client that never answers in time is left out, and the remark says that answers were missing") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 300};
  bench.model.round_rule.deadline = Duration::milliseconds(5);
  bench.latencies_ns = {1'000'000, 1'000'000, 4'000'000};
  const Result result = simulate(bench, exact(0.3));
  CHECK(result.ledger.agent(0).late > 0);
  // Without a regularizer the factor 1/n is no matter: least squares of the first 20 samples.
  const Matrix X = bench.problem.X->dense().topRows(20);
  const Vector alone = testing::least_squares(X, bench.problem.y.head(20));
  CHECK((result.w.back() - alone).norm() < 1e-10);  // rounding after linear convergence
  const ConsensusAdmm method(exact(0.3), bench.assignment());
  CHECK(method.remarks({}).empty());
  CHECK(texts_of(method.remarks({.missing = 3})) ==
        std::vector<std::string>{"3 answers of clients were not there when their rounds were "
                                 "closed: the server went on with what these had sent last"});
}

TEST_CASE("neither latencies nor threads reach the iterates of consensus ADMM", "[threads]") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 20};
  const auto plain = simulate(bench, by_gradients(0.3, 1e-6)).w;
  bench.latencies_ns = {5'000'000, 100, 70'000};
  bench.threads = 3;
  CHECK(simulate(bench, by_gradients(0.3, 1e-6)).w == plain);
}

TEST_CASE("losses that do not go with the local minimizer are refused") {
  Bench bench = two_clients(1);
  bench.problem.loss = make_loss(HuberOptions{});
  CHECK_THROWS_WITH(make_algorithm(exact(1), bench.assignment()),
                    "local_minimizer: expected gradient, since only least squares have exact minimizers, found exact");
  bench.problem.loss = make_loss(HingeOptions{});
  ConsensusAdmmOptions usual_penalty = by_gradients(1, 1e-6);
  usual_penalty.penalty = std::nullopt;  // which is the loss's curvature
  for (const ConsensusAdmmOptions& options : {by_gradients(1, 1e-6), usual_penalty})
    CHECK_THROWS_WITH(
        make_algorithm(options, bench.assignment()),
        "kind: expected an algorithm that needs no gradient, which this loss does not have everywhere (smoothed_hinge "
        "and huber have it), found consensus_admm");
}

}  // namespace lagnet::consensus_admm_test
