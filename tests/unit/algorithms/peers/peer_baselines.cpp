#include <catch2/catch.hpp>

#include "algorithms/objectives/losses/logistic.hpp"
#include "algorithms/objectives/sets/l1_ball.hpp"
#include "algorithms/peers/decentralized_admm.hpp"
#include "algorithms/peers/dgd.hpp"
#include "algorithms/peers/extra.hpp"
#include "algorithms/peers/gradient_tracking.hpp"
#include "algorithms/peers/nids.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::peer_baselines_test {

using namespace lagnet::test;

namespace {

/// Two agents with one sample and one coefficient: gradients x - 2 and 4 x - 4, minimizer 6/5; W = [3/4 1/4; 1/4 3/4].
PeerBench two_agents(Round rounds) {
  return {.problem = testing::make_problem(Matrix{{1}, {2}}, Vector{{2, 2}}, make_loss(SquaredOptions{}),
                                           make_regularizer(NoneOptions{})),
          .sizes = {1, 1},
          .edges = {{0, 1}},
          .rounds = rounds};
}

template <class Options>
PeerResult simulate(const PeerBench& bench, const Options& options) {
  return test::simulate(bench, *make_algorithm(options, bench.assignment()));
}

void check_iterates(const PeerResult& result, const std::vector<std::pair<double, double>>& expected) {
  for (std::size_t t = 0; t < expected.size(); ++t) {
    INFO("round " << t + 1);
    // A dozen roundings of numbers below 4.
    CHECK(result.theta(t + 1, 0)[0] == Approx(expected[t].first).epsilon(1e-14));
    CHECK(result.theta(t + 1, 1)[0] == Approx(expected[t].second).epsilon(1e-14));
  }
}

/// Five agents on a ring, of well-conditioned least squares.
PeerBench ring_bench(Round rounds) {
  return {
      .problem = normal_regression(100, 4), .sizes = {20, 20, 20, 20, 20}, .edges = ring_edges(5), .rounds = rounds};
}

template <class Options>
double distance_to_optimum(const PeerBench& bench, const Options& options) {
  const Optimum optimum = solve_centrally(bench.problem);
  REQUIRE(optimum.certified());
  const PeerResult result = simulate(bench, options);
  double largest = 0;
  for (AgentId i = 0; i < bench.agents(); ++i)
    largest = std::max(largest, (result.theta(static_cast<std::size_t>(bench.rounds), i) - optimum.theta).norm());
  return largest;
}

}  // namespace

TEST_CASE("the first iterates of two agents are those computed by hand") {
  check_iterates(simulate(two_agents(2), DgdOptions{{.step = 0.1}}), {{0.2, 0.4}, {0.43, 0.59}});
  check_iterates(simulate(two_agents(3), ExtraOptions{{.step = 0.1}}), {{0.2, 0.4}, {0.43, 0.59}, {0.652, 0.689}});
  check_iterates(simulate(two_agents(1), NidsOptions{{.step = 0.1}}), {{0.4125, 0.6075}});
  check_iterates(simulate(two_agents(2), GradientTrackingOptions{{.step = 0.1}}), {{0.2, 0.4}, {0.48, 0.54}});
  check_iterates(simulate(two_agents(2), GradientTrackingOptions{{.step = 0.1}, TrackingForm::adapt_then_combine}),
                 {{0.25, 0.35}, {0.481875, 0.553125}});
  check_iterates(simulate(two_agents(2), DecentralizedAdmmOptions{.penalty = 0.5, .local_step = LocalStep::exact}),
                 {{1, 0.8}, {1.4, 1}});
  check_iterates(simulate(two_agents(2), DecentralizedAdmmOptions{.penalty = 0.5, .damping = 4}),
                 {{0.4, 0.8}, {0.8, 0.88}});
}

TEST_CASE("a decaying step of gradient descent falls with the round") {
  // Round 2: alpha = 0.05: 0.25 + 0.09, 0.35 + 0.12.
  check_iterates(simulate(two_agents(2), DgdOptions{{.step = 0.1}, 1.0}), {{0.2, 0.4}, {0.34, 0.47}});
}

TEST_CASE("the exact methods reach the central optimum, and plain gradient descent a neighborhood of it") {
  // Linear convergence to rounding, which the condition number (below 10) and the mixing magnify.
  const PeerBench bench = ring_bench(1500);
  CHECK(distance_to_optimum(bench, ExtraOptions{{.step = 0.3}}) < 1e-12);
  CHECK(distance_to_optimum(bench, NidsOptions{{.step = 0.5}}) < 1e-12);
  CHECK(distance_to_optimum(bench, GradientTrackingOptions{{.step = 0.05}}) < 1e-12);
  CHECK(distance_to_optimum(bench, GradientTrackingOptions{{.step = 0.1}, TrackingForm::adapt_then_combine}) < 1e-12);
  CHECK(distance_to_optimum(bench, DecentralizedAdmmOptions{.penalty = 0.3, .local_step = LocalStep::exact}) < 1e-12);
  CHECK(distance_to_optimum(bench, DecentralizedAdmmOptions{.penalty = 0.3, .damping = 4}) < 1e-12);
  const double near = distance_to_optimum(bench, DgdOptions{{.step = 0.01}}),
               far = distance_to_optimum(bench, DgdOptions{{.step = 0.1}});
  // The bias is of the order of the step.
  CHECK(near > 1e-6);
  CHECK(far / near == Approx(10).epsilon(0.5));
}

TEST_CASE("composite problems and sets are solved exactly by PG-EXTRA and NIDS") {
  PeerBench bench = ring_bench(3000);
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.3});
  CHECK(distance_to_optimum(bench, ExtraOptions{{.step = 0.3}}) < 1e-9);
  CHECK(distance_to_optimum(bench, NidsOptions{{.step = 0.3}}) < 1e-9);
  bench.problem.regularizer = make_regularizer(NoneOptions{});
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 1}, IterateShape::vector(4));
  CHECK(distance_to_optimum(bench, ExtraOptions{{.step = 0.3}}) < 1e-9);
  CHECK(distance_to_optimum(bench, NidsOptions{{.step = 0.3}}) < 1e-9);
  CHECK_THROWS_WITH(simulate(bench, GradientTrackingOptions{{.step = 0.1}}),
                    "kind: expected an algorithm that knows regularizers and constraints, or a problem without, found "
                    "gradient_tracking");
}

TEST_CASE("more rounds of gossip in each mixing bring gradient descent nearer") {
  PeerBench bench = ring_bench(800);
  // rho^6 is 0.15 where rho is 0.73: the part of the bias that comes from the mixing all but goes.
  const double once = distance_to_optimum(bench, DgdOptions{{.step = 0.1}});
  CHECK(distance_to_optimum(bench, DgdOptions{{.step = 0.1, .mixing = {.rounds = 6}}}) < once / 2);
}

TEST_CASE("a round of each baseline costs what its twin without numbers costs, and vectors of its exchanges") {
  const PeerBench bench = ring_bench(5);
  const auto check = [&](const Algorithm& algorithm, Flops of_vectors, Index mixings) {
    const PeerResult result = test::simulate(bench, algorithm), sizes = test::simulate(bench, algorithm, true);
    CHECK(sizes.ledger.total().flops == result.ledger.total().flops);
    CHECK(sizes.ledger.total().messages_sent == result.ledger.total().messages_sent);
    CHECK(sizes.ledger.total().hops == result.ledger.total().hops);
    const AgentAccount &now = result.accounts[3][1], &before = result.accounts[2][1];
    CHECK(now.flops - before.flops == 4 * 20 * 4 + of_vectors * 4 + mixings * 2 * 5 * 4);  // K = 2, deg = 2
    CHECK(now.bytes_sent - before.bytes_sent == 8 * 4 * mixings * 2 * 2);
  };
  const MixingOptions mixing{.rounds = 2};
  check(*make_algorithm(DgdOptions{{.step = 0.1, .mixing = mixing}}, bench.assignment()), 2, 1);
  check(*make_algorithm(ExtraOptions{{.step = 0.1, .mixing = mixing}}, bench.assignment()), 7, 1);
  check(*make_algorithm(NidsOptions{{.step = 0.1, .mixing = mixing}}, bench.assignment()), 9, 1);
  for (const TrackingForm form : {TrackingForm::diging, TrackingForm::adapt_then_combine})
    check(*make_algorithm(GradientTrackingOptions{{.step = 0.1, .mixing = mixing}, form}, bench.assignment()), 4, 2);
  const PeerResult admm = simulate(bench, DecentralizedAdmmOptions{.penalty = 1, .damping = 4});
  CHECK(admm.accounts[3][1].flops - admm.accounts[2][1].flops == 4 * 20 * 4 + 7 * 4 + (2 + 4) * 4);
  CHECK(admm.accounts[3][1].bytes_sent - admm.accounts[2][1].bytes_sent == 8 * 4 * 2);
}

TEST_CASE("exact steps of decentralized ADMM factor a matrix of samples where there are fewer of them than features") {
  const Index n = 4, d = 60;
  const PeerBench bench{
      .problem = normal_regression(3 * n, d), .sizes = {n, n, n}, .edges = ring_edges(3), .rounds = 1};
  const double c = 0.5;
  const auto algorithm =
      make_algorithm(DecentralizedAdmmOptions{.penalty = c, .local_step = LocalStep::exact}, bench.assignment());
  const PeerResult result = test::simulate(bench, *algorithm);
  const Matrix X = bench.problem.X->as_dense()->topRows(n);
  const Matrix system = X.transpose() * X / n + 2 * c * 2 * Matrix::Identity(d, d);
  const Vector first = system.llt().solve(Vector(X.transpose() * bench.problem.y.head(n) / n));
  CHECK((result.theta(1, 0) - first).norm() < 1e-13 * first.norm());  // of a condition number below 100
  CHECK(result.accounts[1][0].flops < 8 * n * n * d);  // a d x d system has d^3 / 3, nearly ten times as many
  CHECK(*algorithm->memory() < Bytes{8} * d * d * 3);  // of three d x d matrices
}

TEST_CASE("what an algorithm cannot do is refused") {
  PeerBench bench = two_agents(1);
  CHECK_THROWS_WITH(simulate(bench, ExtraOptions{{}}), "step: expected a number above 0, found 0");
  CHECK_THROWS_WITH(simulate(bench, DecentralizedAdmmOptions{}), "penalty: expected a number above 0, found 0");
  bench.problem.loss = make_loss(AbsoluteOptions{});
  CHECK_THROWS_WITH(simulate(bench, DgdOptions{{.step = 1}}),
                    "kind: expected an algorithm that needs no gradient, which this loss does not have everywhere, "
                    "found dgd");
  bench.problem.loss = make_loss(HuberOptions{.threshold = 1});
  CHECK_THROWS_WITH(simulate(bench, DecentralizedAdmmOptions{.penalty = 1, .local_step = LocalStep::exact}),
                    "local_step: expected linearized, since only least squares have exact steps, found exact");
  PeerBench alone{.problem = normal_regression(5, 2), .sizes = {5}};
  CHECK_THROWS_WITH(simulate(alone, DecentralizedAdmmOptions{.penalty = 1}),
                    "kind: expected an algorithm for one agent, or a topology with 2 agents or more, found "
                    "decentralized_admm");
}

TEST_CASE("where a message is missing its weight goes to the own vector") {
  // Nobody hears anybody: every agent solves its own problem, and stays where its own gradient vanishes.
  PeerBench bench = two_agents(200);
  bench.rules.missing = {.kind = MissingNeighborKind::skip, .deadline = Duration::nanoseconds(10)};
  const PeerResult result = simulate(bench, DgdOptions{{.step = 0.2}});
  CHECK(result.theta(200, 0)[0] == Approx(2).epsilon(1e-12));  // 0.8^200
  CHECK(result.theta(200, 1)[0] == Approx(1).epsilon(1e-12));
}

}  // namespace lagnet::peer_baselines_test
