#include "algorithms/peers/accel_tracking.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "algorithms/peers/dpag.hpp"
#include "algorithms/peers/netlasso.hpp"
#include "algorithms/peers/proximal_gradient.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::accel_tracking_test {

using namespace lagnet::test;

namespace {

std::shared_ptr<const Constraint> l1_ball(double R) {
  return make_constraint(L1BallOptions{.radius = R}, IterateShape::vector(10));
}

PeerBench ring_bench(Round rounds, double R = 1.5) {
  PeerBench bench{
      .problem = normal_regression(24, 10), .sizes = {6, 6, 6, 6}, .edges = ring_edges(4), .rounds = rounds};
  bench.problem.constraint = l1_ball(R);
  return bench;
}

constexpr CurvatureOptions constants{.mu = 0.2, .L = 2};

}  // namespace

TEST_CASE("in every round the tracked gradients have the mean of the gradients, and all points are feasible") {
  for (const Index K : {1, 2, 5}) {
    const PeerBench bench = ring_bench(30);
    const AccelTracking method({{.steps = {.curvature = constants}, .mixing = {.rounds = K}}}, bench.assignment());
    const PeerResult result = simulate(bench, method);
    const std::vector<StackedTracking> states = stacked_tracking(bench, method, K);
    for (std::size_t t = 1; t <= 30; ++t) {
      const StackedTracking& at = states[t];
      CHECK(distance(result, t, at.theta) <= 1e-13);  // sums in other orders
      for (const Matrix* points : {&at.w, &at.z, &at.v, &at.theta})
        for (Index i = 0; i < 4; ++i)  // sums of ten numbers, convex combinations
          CHECK(bench.problem.constraint->excess(Vector(points->row(i))) <= 1e-14);
      // Each of the rounds so far rounds sums of numbers of the size of 10.
      CHECK((at.y - at.g).colwise().sum().norm() <= 1e-13 * static_cast<double>(t));
      CHECK((at.w - at.z).colwise().sum().norm() <= 1e-14);
    }
  }
}

TEST_CASE("the Lyapunov value is that of (24)") {
  const PeerBench bench = ring_bench(40);
  const Optimum optimum = solve_centrally(bench.problem);
  const ErrorScale scale{.minimizer = &optimum.theta};
  const AccelTracking method({{.steps = {.curvature = constants}, .mixing = {.rounds = 2}}, true}, bench.assignment());
  REQUIRE(method.metric_names().back() == "lyapunov");
  const PeerResult result = simulate(bench, method);
  const double alpha = method.constants().at(0).second, beta = method.constants().at(1).second;
  const std::vector<StackedTracking> states = stacked_tracking(bench, method, 2);
  const Matrix W = bench.W() * bench.W(), X = bench.problem.X->dense();
  for (const std::size_t t : {0u, 1u, 9u, 40u}) {
    const Matrix moved = W * states[t].theta;
    double V = 0;
    for (AgentId i = 0; i < 4; ++i) {
      const auto f = [&](const Vector& at) {  // of six samples each
        return (X.middleRows(6 * i, 6) * at - bench.problem.y.segment(6 * i, 6)).squaredNorm() / 12;
      };
      const Vector theta = states[t].theta.row(i), v = states[t].v.row(i), mixed = moved.row(i);
      V += (f(mixed) - f(optimum.theta)) / 4 +
           beta * beta * alpha / 8 * ((v - optimum.theta).squaredNorm() + theta.squaredNorm() - mixed.squaredNorm());
    }
    const auto found = method.evaluate(static_cast<Round>(t), result.reports.at(t), scale).metrics.back();
    CHECK(found.value() == Approx(V).margin(1e-13));  // sums in other orders
  }
  PeerBench regularized = bench;
  regularized.problem.regularizer = make_regularizer(L1Options{.weight = 1});
  regularized.problem.constraint = nullptr;
  CHECK_THROWS_WITH(AccelTracking({{.steps = {.curvature = constants}}, true}, regularized.assignment()),
                    "lyapunov: expected false with a regularizer, found true");
}

TEST_CASE("mixing all vectors at once contracts them as the polynomial says") {
  const PeerBench bench = ring_bench(1);
  for (const auto acceleration : {GossipAcceleration::none, GossipAcceleration::chebyshev}) {
    const Mixing mixing({.rounds = 3, .acceleration = acceleration}, bench.assignment().network);
    const Matrix all = mixing.mixed(Matrix::Identity(4, 4)), mean = Matrix::Constant(4, 4, 0.25);
    CHECK((all * Vector::Ones(4) - Vector::Ones(4)).norm() <= 1e-14);
    const double norm = testing::eigenvalues(all - mean).cwiseAbs().maxCoeff();
    if (acceleration == GossipAcceleration::none)
      CHECK(norm == Approx(mixing.rho()));
    else
      CHECK(norm <= mixing.rho() * (1 + 1e-12));  // a bound, which an eigenvalue of 4 need not meet
  }
}

TEST_CASE("the first iterate is the projected gradient step of the mixed gradients") {
  const PeerBench bench = ring_bench(1);
  const double alpha = 4, beta = 0.25;
  const AccelTracking method({{.steps = {.alpha = alpha, .beta = beta}, .mixing = {.rounds = 2}}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const Matrix W2 = bench.W() * bench.W();
  for (AgentId i = 0; i < 4; ++i) {
    Vector y = Vector::Zero(10);
    for (AgentId k = 0; k < 4; ++k) y += W2(i, k) * method.gradient(k, Vector::Zero(10));
    const Vector v = project_on_l1_ball(-y / (alpha * beta), 1.5);
    CHECK((result.theta(1, i) - beta * v).norm() <= 1e-14);  // a dozen roundings of numbers of the size of 1
    CHECK(result.theta(0, i) == Vector::Zero(10));
  }
}

TEST_CASE("with W = 11'/m every agent computes as one agent with all samples") {
  PeerBench bench = ring_bench(60);
  bench.edges = complete_edges(4);
  bench.lazy = false;  // Metropolis weights of a complete graph are 1/m
  PeerBench alone = ring_bench(60);
  alone.edges = {};
  alone.sizes = {24};
  const auto compare = [&](const Algorithm& spread, const Algorithm& central) {
    const PeerResult many = simulate(bench, spread), one = simulate(alone, central);
    for (const std::size_t t : {1u, 7u, 60u})
      for (AgentId i = 0; i < 4; ++i)
        CHECK((many.theta(t, i) - one.theta(t, 0)).norm() <= 1e-13);  // sums in other orders
  };
  compare(AccelTracking({{.steps = {.curvature = constants}}}, bench.assignment()),
          AcceleratedProximalGradient({{.curvature = constants}}, alone.assignment()));
  compare(AccelTracking({{.steps = {.curvature = constants}}}, bench.assignment()),
          AccelTracking({{.steps = {.curvature = constants}, .mixing = {.rounds = 7}}},
                        alone.assignment()));  // K is ignored
}

TEST_CASE("a round costs the flops and the traffic of the sheet's section 6, for every agent") {
  // A path, whose ends have one neighbor less, and agents with different numbers of samples.
  PeerBench bench{.problem = normal_regression(12, 10), .sizes = {3, 5, 4}, .edges = {{0, 1}, {1, 2}}, .rounds = 4};
  bench.problem.constraint = l1_ball(1);
  const Index d = 10, P = 34;  // d log2 d = 33.2
  for (const Index K : {1, 3}) {
    const MixingOptions mixing{.rounds = K};
    const auto check = [&](const Algorithm& algorithm, Index of_vectors, Index mixings) {
      const PeerResult result = simulate(bench, algorithm);
      for (AgentId i = 0; i < 3; ++i) {
        const Index n = bench.sizes[i], degree = std::ssize(bench.neighbors(i));
        for (std::size_t t = 2; t <= 4; ++t) {
          const AgentAccount &now = result.accounts[t][i], &before = result.accounts[t - 1][i];
          CHECK(now.flops - before.flops == 4 * n * d + of_vectors * d + mixings * K * (2 * degree + 1) * d + P);
          CHECK(now.bytes_sent - before.bytes_sent == 8 * mixings * K * d * degree);
        }
      }
      CHECK(result.ledger.total().hops >= 4 * mixings * K);
      const PeerResult sizes = simulate(bench, algorithm, true);
      CHECK(sizes.ledger.total().flops == result.ledger.total().flops);
      CHECK(sizes.ledger.total().bytes_sent == result.ledger.total().bytes_sent);
      CHECK(sizes.accounts.size() == result.accounts.size());
    };
    check(AccelTracking({{.steps = {.curvature = constants}, .mixing = mixing}}, bench.assignment()), 13, 2);
    check(NetLasso({{.steps = {.step = 0.1}, .mixing = mixing}}, bench.assignment()), 4, 2);
    check(Dpag({{.steps = {.step = 0.1, .beta = 0.3}, .mixing = mixing}}, bench.assignment()), 7, 3);
  }
  // The first round of Algorithm 1 costs no more than the others.
  const PeerResult first = simulate(bench, AccelTracking({{.steps = {.curvature = constants}}}, bench.assignment()));
  CHECK(first.ledger.agent(0).flops == 4 * (4 * 3 * d + 13 * d + 2 * 3 * d + P));
}

TEST_CASE("all of them reach the certified optimum under the constraint, and their metrics show it") {
  PeerBench bench = ring_bench(1500);
  const Optimum optimum = solve_centrally(bench.problem);
  REQUIRE(optimum.certified());
  CHECK(bench.problem.constraint->excess(optimum.theta) == Approx(0).margin(1e-14));  // it binds
  ErrorScale error_scale{.initial = bench.problem.objective(Vector::Zero(10)), .optimum = optimum.value};
  error_scale.minimizer = &optimum.theta;
  MethodInput given = bench.assignment();
  given.truth = Vector::Constant(10, 2);
  const auto check = [&](const Algorithm& algorithm) {
    const PeerResult result = simulate(bench, algorithm);
    const Evaluation last = algorithm.evaluate(1500, result.reports.back(), error_scale);
    REQUIRE(last.metrics.size() == algorithm.metric_names().size());
    CHECK(*last.metrics[1] < 1e-16);  // linear convergence to rounding, squared
    CHECK(*last.metrics[2] < 1e-8);   // the same, not squared
    CHECK(*last.metrics[0] == Approx((optimum.theta - *given.truth).squaredNorm() / 40).epsilon(1e-7));
    CHECK(*error_scale.relative_error(last.objective) < 1e-9);
    const Evaluation unknown = algorithm.evaluate(1500, result.reports.back(), {});
    CHECK_FALSE(unknown.metrics[1]);
  };
  check(AccelTracking({{.steps = {.curvature = {.mu = 0.5, .L = 6}}, .mixing = {.target = 0.02}}}, given));
  check(NetLasso({{.steps = {.step = 0.1}, .mixing = {.rounds = 4}}}, given));
  check(Dpag({{.steps = {.step = 0.1, .beta = 0.3}, .mixing = {.rounds = 6}}}, given));
}

TEST_CASE("latencies and threads do not reach the iterates", "[threads]") {
  PeerBench bench = ring_bench(20);
  const auto last = [&] {
    const PeerResult result = simulate(
        bench, AccelTracking({{.steps = {.curvature = constants}, .mixing = {.rounds = 3}}}, bench.assignment()));
    return result.reports.back();
  };
  const auto plain = last();
  bench.latencies_ns = {5'000'000, 20, 800'000, 1};
  bench.threads = 3;
  CHECK(last() == plain);
}

TEST_CASE("a radius of 0 keeps everything at 0, and a loose one leaves least squares") {
  PeerBench bench = ring_bench(50, 0);
  const auto options = AccelTrackingOptions{{.steps = {.curvature = {.mu = 0.5, .L = 6}}, .mixing = {.rounds = 6}}};
  for (AgentId i = 0; i < 4; ++i)
    CHECK(simulate(bench, AccelTracking(options, bench.assignment())).theta(50, i) == Vector::Zero(10));
  bench = ring_bench(4000, 1e9);
  const PeerResult loose = simulate(bench, AccelTracking(options, bench.assignment()));
  bench.problem.constraint = nullptr;
  CHECK((loose.theta(4000, 2) - solve_centrally(bench.problem).theta).norm() <
        1e-9);  // converged to rounding times kappa
}

TEST_CASE(
    "agents that hold different numbers of samples minimize the pooled objective, or another where they weigh alike") {
  PeerBench bench{
      .problem = normal_regression(30, 4), .sizes = {5, 10, 15}, .edges = complete_edges(3), .rounds = 3000};
  const AccelTrackingOptions options{{.steps = {.curvature = {.mu = 0.3, .L = 4}}, .mixing = {.rounds = 4}}};
  std::vector<Vector> minimizers;
  for (const AgentWeights weights : {AgentWeights::samples, AgentWeights::even}) {
    MethodInput given = bench.assignment();
    given.agent_weights = weights;
    const Optimum optimum = solve_centrally(pooled(bench.problem, weights, given.sample_starts));
    REQUIRE(optimum.certified());
    const AccelTracking method(options, given);
    const PeerResult result = simulate(bench, method);
    CHECK((result.theta(3000, 1) - optimum.theta).norm() < 1e-10);  // converged to rounding times kappa
    CHECK(method.objective(optimum.theta) == Approx(optimum.value).epsilon(1e-13));  // 30 squares in another order
    minimizers.push_back(optimum.theta);
  }
  CHECK(minimizers[0] == solve_centrally(bench.problem).theta);
  CHECK((minimizers[0] - minimizers[1]).norm() > 1e-3);
}

TEST_CASE("a regularizer with a prox may replace the constraint") {
  PeerBench bench = ring_bench(1500);
  bench.problem.constraint = nullptr;
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = 0.2, .l2_weight = 0.1});
  const Optimum optimum = solve_centrally(bench.problem);
  const PeerResult result = simulate(
      bench,
      AccelTracking({{.steps = {.curvature = {.mu = 0.5, .L = 6}}, .mixing = {.rounds = 8}}}, bench.assignment()));
  CHECK((result.theta(1500, 0) - optimum.theta).norm() < 1e-8);  // linear convergence
  bench.problem.constraint = l1_ball(1);
  CHECK_THROWS_WITH(AccelTracking({}, bench.assignment()),
                    "kind: expected an algorithm for a regularizer and a constraint at once, or a problem with one of "
                    "them, found accel_tracking");
}

TEST_CASE("the number of rounds follows from the target, and an odd one of an indefinite W is warned of") {
  PeerBench bench = ring_bench(1);
  CHECK(bench.assignment().network.gossip_rho == Approx(2.0 / 3));
  const auto rounds = [&](double target) { return Mixing({.target = target}, bench.assignment().network).rounds(); };
  CHECK(rounds(0.023) == 10);  // (2/3)^9 = 0.026, (2/3)^10 = 0.0173
  CHECK(rounds(0.7) == 1);
  CHECK(rounds(4.0 / 9 * (1 + 1e-12)) == 2);
  CHECK(rounds(1e-300) == 1704);  // 690.8 / 0.4055 = 1703.7
  CHECK(Mixing({}, bench.assignment().network).semidefinite_warnings().empty());
  bench.lazy = false;  // a ring of 4: eigenvalues 1, 1/3, 1/3, -1/3
  CHECK(AccelTracking({{.steps = {.curvature = constants}, .mixing = {.rounds = 2}}}, bench.assignment())
            .warnings()
            .empty());
  CHECK(texts_of(AccelTracking({{.steps = {.curvature = constants}, .mixing = {.rounds = 3}}}, bench.assignment())
                     .warnings()) ==
        std::vector<std::string>{"the gossip matrix W has the eigenvalue -0.333333, and 3 rounds of it, an odd number, "
                                 "leave a negative one: convergence is not guaranteed; take an even number or "
                                 "lazy_metropolis"});
}

TEST_CASE("invalid constants are refused") {
  PeerBench bench = ring_bench(1);
  const auto refused = [&](const AccelTrackingOptions& options) -> std::string {
    try {
      AccelTracking(options, bench.assignment());
    } catch (const Diagnosed& error) {
      return error.what();
    }
    return "";
  };
  CHECK(refused({{.steps = {.curvature = {.mu = 0, .L = 1}}}}) == "mu: expected a number above 0, found 0");
  CHECK(refused({{.steps = {.alpha = 1, .beta = 1}}}).empty());
  CHECK(refused({{.steps = {.curvature = constants}, .mixing = {.rounds = 0}}}) ==
        "gossip_rounds: expected at least 1, found 0");
  CHECK_THROWS_WITH(ProximalGradient({{.step = 1}}, bench.assignment()),
                    "kind: expected an algorithm for several agents, or a topology with 1 agent, found "
                    "proximal_gradient with 4 agents");
  CHECK_THROWS_WITH(NetLasso({{.steps = {.step = -1}}}, bench.assignment()),
                    "step: expected a number above 0, found -1");
  MethodInput apart = bench.assignment();
  apart.network.gossip_rho = 1;
  CHECK_THROWS_WITH(NetLasso({{.steps = {.step = 1}}}, apart),
                    "kind: expected a gossip matrix with |W - 11'/m| below 1, for an algorithm that mixes with it, "
                    "found 1");
}

}  // namespace lagnet::accel_tracking_test
