#include <cmath>

#include "algorithms/central/gram.hpp"
#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/federated/distributed_fista.hpp"
#include "algorithms/federated/distributed_proximal_gradient.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

/// Distributed proximal gradient descent and FISTA.
namespace lagnet::distributed_proximal_gradient_test {

using namespace lagnet::test;

namespace {

/// Two clients with one feature: gradients w - 2 and 2.5 w - 4, with weights 1/3 and 2/3 together 2 w - 10/3.
Bench two_clients(Round rounds, double l1 = 0, double l2 = 0) {
  return {.problem = problem_of(Matrix{{1}, {1}, {2}}, Vector{{2, 4, 2}}, make_loss(SquaredOptions{}), l1, l2),
          .sizes = {1, 2},
          .rounds = rounds};
}

Optimum certified(const Problem& problem) {
  const Optimum optimum = solve_centrally(problem);
  REQUIRE(optimum.certified());
  return optimum;
}

double curvature(const Problem& problem) {
  const double norm = spectral_norm(*problem.X);
  return problem.loss->smoothness().value() * norm * norm / static_cast<double>(problem.samples);
}

/// Three unequal clients, of least squares and of a logistic loss, both with an l1 norm.
std::vector<Bench> benches(Round rounds) {
  Bench squared{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = rounds}, logistic = squared;
  logistic.problem.loss = make_loss(LogisticOptions{});
  logistic.problem.y = squared.problem.y.unaryExpr([](double v) { return v > 0 ? 1.0 : -1.0; });
  logistic.problem.regularizer = make_regularizer(L1Options{.weight = 0.02});
  return {squared, logistic};
}

}  // namespace

TEST_CASE("two rounds of distributed proximal gradient descent are as by hand") {
  // Soft thresholds of 0.05: 1/3 - 0.05, then 0.8 of it + 1/3 - 0.05.
  const auto w = simulate(two_clients(2, 0.5), DistributedProximalGradientOptions{{.step = 0.1}}).w;
  CHECK(w[0] == scalar(0));
  CHECK(w[1][0] == Approx(17.0 / 60).epsilon(1e-15));
  CHECK(w[2][0] == Approx(0.51).epsilon(1e-15));
}

TEST_CASE("three rounds of FISTA are as by hand, and two with constant momentum") {
  const auto w = simulate(two_clients(3, 0.5), DistributedFistaOptions{{.step = 0.1}}).w;
  CHECK(w[1][0] == Approx(17.0 / 60).epsilon(1e-15));
  CHECK(w[2][0] == Approx(0.51).epsilon(1e-15));  // t_1 = 1: no momentum yet
  // t_2 is the golden ratio phi, whose square is phi + 1.
  const double phi = (1 + std::sqrt(5.0)) / 2, t_3 = (1 + std::sqrt(5 + 4 * phi)) / 2;
  const double z = 0.51 + (phi - 1) / t_3 * (0.51 - 17.0 / 60);
  CHECK(w[3][0] == Approx(0.8 * z + 17.0 / 60).epsilon(1e-15));
  // The square of weight 1 divides by 1.1; q = 0.1 (2 + 1) / 1.1.
  const DistributedFistaOptions constant{{.step = 0.1}, Momentum::constant, 2};
  const auto of_square = simulate(two_clients(2, 0, 1), constant).w;
  const double root = std::sqrt(3.0 / 11), first = 1 / 3.3;
  CHECK(of_square[1][0] == Approx(first).epsilon(1e-15));
  CHECK(of_square[2][0] == Approx((0.8 * (1 + (1 - root) / (1 + root)) * first + 1.0 / 3) / 1.1).epsilon(1e-15));
}

TEST_CASE("one client makes distributed proximal gradient descent the central one, bit for bit") {
  const Problem problem = lasso(40, 4, 0.2);
  const auto w = simulate(Bench{.problem = problem, .sizes = {40}, .rounds = 50},
                          DistributedProximalGradientOptions{{.step = 0.2}})
                     .w;
  const PeerBench alone{.problem = problem, .sizes = {40}, .rounds = 50};
  const PeerResult central =
      simulate(alone, *make_algorithm(ProximalGradientOptions{{.step = 0.2}}, alone.assignment()));
  for (std::size_t t = 0; t <= 50; ++t) CHECK(w[t] == central.theta(t, 0));
}

TEST_CASE("how samples are divided changes no iterate but by rounding") {
  for (Bench bench : benches(60)) {
    const auto three = simulate(bench, DistributedFistaOptions{{.step = 0.2}}).w;
    bench.sizes = {40};
    const auto one = simulate(bench, DistributedFistaOptions{{.step = 0.2}}).w;
    // Sums of 40 terms in another order, which 60 steps that do not expand magnify by less than 60.
    for (std::size_t t = 0; t <= 60; ++t) CHECK((three[t] - one[t]).norm() < 1e-13);
  }
}

TEST_CASE("objectives keep to the bounds of the methods' theorems, and reach the certified optimum") {
  for (const Bench& bench : benches(400)) {
    const Optimum best = certified(bench.problem);
    const double L = curvature(bench.problem), distance = best.theta.squaredNorm();
    const double rounding = 1e-14;  // of objectives of size 1
    const auto plain = simulate(bench, DistributedProximalGradientOptions{{.step = 1 / L}}).w;
    const auto fast = simulate(bench, DistributedFistaOptions{{.step = 1 / L}}).w;
    for (std::size_t t = 1; t <= 400; ++t) {
      const double k = static_cast<double>(t);
      CHECK(bench.problem.objective(plain[t]) - best.value <= L * distance / (2 * k) + rounding);
      CHECK(bench.problem.objective(fast[t]) - best.value <= 2 * L * distance / ((k + 1) * (k + 1)) + rounding);
    }
    // Plain steps contract by 1 - mu/L < 0.95 a round, 400 of them by 1e-9; the optimum's certificate is 1e-10.
    const double start = bench.problem.objective(Vector::Zero(4)) - best.value;
    CHECK((bench.problem.objective(plain.back()) - best.value) / start < 1e-9);
  }
}

TEST_CASE("constant momentum contracts by the root of the condition number") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 150};
  const Matrix X = bench.problem.X->dense();
  const Vector eigenvalues = testing::eigenvalues(X.transpose() * X / 40);
  const double mu = eigenvalues[0], L = eigenvalues[3];
  const Optimum best = certified(bench.problem);
  const auto w = simulate(bench, DistributedFistaOptions{{.step = 1 / L}, Momentum::constant, mu}).w;
  // Beck, theorem 10.42: (1 - sqrt(mu/L))^k (F(w_0) - F* + mu |w_0 - w*|^2 / 2).
  const double start = bench.problem.objective(w[0]) - best.value + mu * best.theta.squaredNorm() / 2;
  for (std::size_t t = 1; t <= 150; ++t)
    CHECK(bench.problem.objective(w[t]) - best.value <=
          std::pow(1 - std::sqrt(mu / L), static_cast<double>(t)) * start + 1e-14);  // rounding of numbers of size 1
  // The square of a regularizer alone does it too: sqrt(q) is above 0.2, and 0.8^150 is 1e-14.
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = 0.1, .l2_weight = 0.2});
  const auto of_net = simulate(bench, DistributedFistaOptions{{.step = 1 / L}, Momentum::constant}).w;
  CHECK((of_net.back() - certified(bench.problem).theta).norm() < 1e-9);
}

TEST_CASE("both methods keep to a set, and reach the best point in it") {
  Bench bench{.problem = random_problem(40, 4), .sizes = {5, 15, 20}, .rounds = 400};
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 0.2}, IterateShape::vector(4));
  const Optimum best = certified(bench.problem);
  const auto check = [&](const auto& options) {
    const auto w = simulate(bench, options).w;
    for (const Vector& of_round : w) CHECK(of_round.lpNorm<1>() <= 0.2 * (1 + 1e-14));  // a sum of four
    CHECK((w.back() - best.theta).norm() < 1e-6);  // a gap of 1e-10 bounds the distance by its root
  };
  check(DistributedProximalGradientOptions{{.step = 0.3}});
  check(DistributedFistaOptions{{.step = 0.3}});
}

TEST_CASE("a round costs one gradient of all samples at each client asked, two vectors each, and a step") {
  const Index d = 7, rounds = 5, m = 2;
  Bench bench{.problem = lasso(60, d, 0.1), .sizes = {10, 3, 17, 30}, .rounds = rounds};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, m));
  std::map<AgentId, Index> asked = times_asked(bench);
  const auto check = [&](const auto& options, Flops server) {
    const Result result = simulate(bench, options);
    for (AgentId k = 1; k <= 4; ++k) {
      const Index n_k = bench.sizes[k - 1];
      CHECK(result.ledger.agent(k).flops == asked[k] * (4 * n_k * d + n_k + d));
      CHECK(result.ledger.agent(k).bytes_sent == asked[k] * d * 8);
    }
    CHECK(result.ledger.agent(0).flops == rounds * server);
    CHECK(result.ledger.agent(0).bytes_sent == rounds * m * d * 8);
    CHECK(result.ledger.total().messages_sent == rounds * 2 * m);
    CHECK(result.ledger.total().hops == 2 * rounds);
  };
  const Flops step = 2 * m * d + 2 * d + 3 * d;  // weighted sum, z - s g, soft thresholds
  check(DistributedProximalGradientOptions{{.step = 0.1}}, step);
  check(DistributedFistaOptions{{.step = 0.1}}, step + 3 * d);
}

TEST_CASE("a step goes along the mean gradient of those that came, and without an answer nowhere") {
  Bench bench = two_clients(2);
  bench.model.participation = std::make_shared<const ListedParticipation>(std::vector<std::vector<AgentId>>{{1}, {2}});
  // Gradients -2 at 0, and 0.5 - 4 at 0.2.
  const auto w = simulate(bench, DistributedProximalGradientOptions{{.step = 0.1}}).w;
  CHECK(w[1][0] == Approx(0.2).epsilon(1e-15));
  CHECK(w[2][0] == Approx(0.55).epsilon(1e-15));
  bench.model.round_rule.deadline = Duration::nanoseconds(10);
  for (const Vector& of_round : simulate(bench, DistributedFistaOptions{{.step = 0.1}}).w) CHECK(of_round == scalar(0));
}

TEST_CASE("steps beyond 2/L diverge") {
  // The curvature of both is 2: w - 5/3 is multiplied by 1 - 2 s = -1.4 a round.
  const auto w = simulate(two_clients(20), DistributedProximalGradientOptions{{.step = 1.2}}).w;
  CHECK(std::abs(w.back()[0] - 5.0 / 3) == Approx(5.0 / 3 * std::pow(1.4, 20)).epsilon(1e-12));
  CHECK(std::abs(simulate(two_clients(20), DistributedFistaOptions{{.step = 1.2}}).w.back()[0]) >
        std::abs(w.back()[0]));
}

TEST_CASE("distributed gradient methods refuse unsupported problems") {
  Bench bench = two_clients(1, 0.5);
  const DistributedProximalGradientOptions plain{{.step = 0.1}};
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 1}, IterateShape::vector(1));
  CHECK_THROWS_WITH(make_algorithm(plain, bench.assignment()),
                    "kind: expected an algorithm for a regularizer and a constraint at once, or a problem with one of "
                    "them, found distributed_proximal_gradient");
  bench = two_clients(1);
  const DistributedFistaOptions none{{.step = 0.1}, Momentum::constant}, much{{.step = 0.1}, Momentum::constant, 11};
  CHECK_THROWS_WITH(
      make_algorithm(none, bench.assignment()),
      "mu: expected a number above 0, since the regularizer has no square with a weight above 0, found 0");
  CHECK_THROWS_WITH(make_algorithm(much, bench.assignment()), "mu: expected at most 10, 1/step, found 11");
  bench.problem.loss = make_loss(HingeOptions{});
  CHECK_THROWS_WITH(
      make_algorithm(plain, bench.assignment()),
      "kind: expected an algorithm that needs no gradient, which this loss does not have everywhere (smoothed_hinge "
      "and huber have it), found distributed_proximal_gradient");
}

}  // namespace lagnet::distributed_proximal_gradient_test
