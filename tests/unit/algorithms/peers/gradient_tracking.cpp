#include "algorithms/peers/gradient_tracking.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "algorithms/objectives/regularizers/regularizers.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::gradient_tracking_test {

using namespace lagnet::test;

TEST_CASE("the first iterates of gradient tracking are those computed by hand, in both forms") {
  check_iterates(simulate<GradientTracking>(two_agents(2), GradientTrackingOptions{{.step = 0.1}}),
                 {{0.2, 0.4}, {0.48, 0.54}});
  const GradientTrackingOptions other{{.step = 0.1}, TrackingForm::adapt_then_combine};
  check_iterates(simulate<GradientTracking>(two_agents(2), other), {{0.25, 0.35}, {0.481875, 0.553125}});
}

TEST_CASE("gradient tracking reaches the central optimum in both forms") {
  // Linear convergence to rounding, which the condition number (below 10) and the mixing magnify.
  const PeerBench bench = ring_bench(1500);
  const GradientTrackingOptions diging{{.step = 0.05}}, other{{.step = 0.1}, TrackingForm::adapt_then_combine};
  CHECK(distance_to_optimum<GradientTracking>(bench, diging) < 1e-12);
  CHECK(distance_to_optimum<GradientTracking>(bench, other) < 1e-12);
}

TEST_CASE("a round of gradient tracking costs a gradient, two mixings and four flops an entry") {
  const PeerBench bench = ring_bench(5);
  for (const TrackingForm form : {TrackingForm::diging, TrackingForm::adapt_then_combine}) {
    const GradientTrackingOptions options{{.step = 0.1, .mixing = {.rounds = 2}}, form};
    check_round_costs(bench, GradientTracking(options, bench.assignment()), 4, 2);
  }
}

TEST_CASE("one exchange of gradient tracking gives the iterates of two, with half of their messages") {
  for (const Index K : {1, 3})
    for (const GossipAcceleration acceleration : {GossipAcceleration::none, GossipAcceleration::chebyshev}) {
      CAPTURE(K, acceleration == GossipAcceleration::chebyshev);
      const PeerBench bench = ring_bench(60);
      GradientTrackingOptions two{{.step = 0.05, .mixing = {.rounds = K, .acceleration = acceleration}}}, one = two;
      two.exchanges = 2;
      const PeerResult of_one = simulate<GradientTracking>(bench, one);
      const PeerResult of_two = simulate<GradientTracking>(bench, two);
      for (std::size_t t = 0; t <= 60; ++t)  // the same sums in the same order: the same bits
        for (AgentId i = 0; i < bench.agents(); ++i) CHECK(of_one.theta(t, i) == of_two.theta(t, i));
      const AgentAccount all = of_one.ledger.total(), before = of_two.ledger.total();
      CHECK(2 * all.messages_sent == before.messages_sent);
      CHECK(all.bytes_sent == before.bytes_sent);
      CHECK(all.flops == before.flops);
      CHECK(2 * all.hops == before.hops);
    }
}

TEST_CASE("gradient tracking in one exchange is DIGing written down for all agents at once") {
  const PeerBench bench = ring_bench(40);
  const double alpha = 0.05;
  const GradientTrackingOptions options{{.step = alpha}};
  const GradientTracking method(options, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), g = gradients(method, x), y = g;
  for (std::size_t t = 1; t <= 40; ++t) {
    x = bench.W() * x - alpha * y;
    const Matrix h = gradients(method, x);
    y = bench.W() * y + h - g;
    g = h;
    CHECK(distance(result, t, x) < 1e-13);  // roundings of numbers of order 1, which the contraction does not add up
  }
}

TEST_CASE("adapt then combine is refused in one exchange, and adapt first in two") {
  const auto said_of = [](TrackingForm form, std::int64_t exchanges) {
    std::vector<std::string> said;
    auto report = [&](const char* key, const std::string& expected, auto found) {
      said.push_back(fmt::format("{}: expected {}, found {}", key, expected, found));
    };
    GradientTrackingOptions{{.step = 0.05}, form, exchanges}.check(report);
    return said;
  };
  CHECK(said_of(TrackingForm::adapt_then_combine, 1) ==
        std::vector<std::string>{"exchanges: expected 2 for adapt_then_combine, whose second message needs "
                                 "what the first brings, found 1"});
  CHECK(said_of(TrackingForm::adapt_first, 2) ==
        std::vector<std::string>{"exchanges: expected 1 for adapt_first, all of whose message is known when a round "
                                 "starts, found 2"});
  CHECK(said_of(TrackingForm::adapt_first, 1).empty());
}

TEST_CASE("gradient tracking that adapts first is its equations written down for all agents at once") {
  const PeerBench bench = ring_bench(40);
  const double alpha = 0.05;
  const GradientTracking method(GradientTrackingOptions{{.step = alpha}, TrackingForm::adapt_first},
                                bench.assignment());
  const PeerResult result = simulate(bench, method);
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), g = gradients(method, x), y = g;
  for (std::size_t t = 1; t <= 40; ++t) {
    x = bench.W() * (x - alpha * y);
    const Matrix h = gradients(method, x);
    y = bench.W() * y + h - g;
    g = h;
    CHECK(distance(result, t, x) < 1e-13);  // roundings of numbers of order 1, which the contraction does not add up
  }
  // One message of 2 d numbers to each neighbor in a round.
  CHECK(result.ledger.total().messages_sent == 40 * 10);
  CHECK(result.ledger.total().bytes_sent == 40 * 10 * 2 * 4 * 8);
  const GradientTrackingOptions twice{{.step = 0.1, .mixing = {.rounds = 2}}, TrackingForm::adapt_first};
  const PeerResult of_twice = simulate(bench, GradientTracking(twice, bench.assignment()));
  CHECK(of_twice.accounts[3][1].flops - of_twice.accounts[2][1].flops == 4 * 20 * 4 + 4 * 4 + 2 * 2 * 5 * 4);
}

TEST_CASE("gradient tracking and momentum reach the optimum, and y tracks the mean of u") {
  const PeerBench bench = ring_bench(2500);
  for (const TrackingForm form : {TrackingForm::diging, TrackingForm::adapt_then_combine, TrackingForm::adapt_first}) {
    GradientTrackingOptions options{{.step = 0.03}, form};
    options.direction.momentum = 0.5;
    CHECK(distance_to_optimum<GradientTracking>(bench, options) < 1e-12);
  }
}

TEST_CASE("gradient tracking of minibatches keeps the gradient that it has evaluated") {
  const PeerBench bench = ring_bench(12);
  GradientTrackingOptions options{{.step = 0.05}};
  options.direction = {.batch = 7, .momentum = 0.4};
  const GradientTracking method(options, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const auto gradients_of = [&](const Matrix& x, Round t) {
    Matrix all(x.rows(), x.cols());
    for (AgentId i = 0; i < bench.agents(); ++i) {
      const Minibatches batch(20, 7, 1, Draws(1, Purpose{"minibatch"}, i, t));
      all.row(i) = method.gradient(i, Vector(x.row(i)), batch.of_step(0)).transpose();
    }
    return all;
  };
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), u = gradients_of(x, 0), y = u;
  for (Round t = 1; t <= 12; ++t) {
    x = bench.W() * x - 0.05 * y;
    const Matrix next = 0.4 * u + gradients_of(x, t);
    y = bench.W() * y + next - u;
    u = next;
    CHECK(distance(result, static_cast<std::size_t>(t), x) < 1e-13);
  }
  // A gradient of 7 of 20 samples, the momentum, two mixings and four flops; before round 1 a gradient alone.
  CHECK(result.accounts[3][1].flops - result.accounts[2][1].flops == 4 * 7 * 4 + 2 * 4 + 2 * 5 * 4 + 4 * 4);
  CHECK(result.accounts[1][1].flops == 2 * 4 * 7 * 4 + 2 * 4 + 2 * 5 * 4 + 4 * 4);
  const PeerResult timing = simulate(bench, method, true);
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
}

TEST_CASE("theory's step is times 1 - momentum") {
  const PeerBench bench = ring_bench(1);
  GradientTrackingOptions plain, heavy;
  heavy.direction.momentum = 0.75;
  const auto constants_of = [&](const GradientTrackingOptions& options) {
    return GradientTracking(options, bench.assignment()).constants();
  };
  CHECK(constants_of(heavy)[0].second == Approx(constants_of(plain)[0].second / 4));
  CHECK(constants_of(heavy)[1] == Constant("momentum", 0.75));
  CHECK(constants_of(plain)[1].first == "K");
}

TEST_CASE("a smooth regularizer is a part of every f_i in gradient tracking") {
  PeerBench bench = ring_bench(1500);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.3});
  const GradientTrackingOptions options{{.step = 0.05}};
  CHECK(distance_to_optimum<GradientTracking>(bench, options) < 1e-12);
  // b theta and its sum with the gradient, an entry each, beside the plain gradient, two mixings and four flops.
  bench.rounds = 5;
  const GradientTrackingOptions twice{{.step = 0.05, .mixing = {.rounds = 2}}};
  check_round_costs(bench, GradientTracking(twice, bench.assignment()), 6, 2);
}

TEST_CASE("gradient tracking refuses regularizers with kinks, and sets") {
  const std::vector<PeerBench> benches = composite_benches(1);
  REQUIRE(benches.size() == 2);
  CHECK_THROWS_WITH(simulate<GradientTracking>(benches[0], GradientTrackingOptions{{.step = 0.1}}),
                    "kind: expected an algorithm with a prox for the regularizer, or a problem with l2 or none, found "
                    "gradient_tracking");
  CHECK_THROWS_WITH(
      simulate<GradientTracking>(benches[1], GradientTrackingOptions{{.step = 0.1}}),
      "kind: expected an algorithm that keeps iterates in a set, or a problem without a constraint, found "
      "gradient_tracking");
}

TEST_CASE("theory's step of gradient tracking converges, in both forms and for agents whose curvatures differ") {
  PeerBench bench = ring_bench(4000);
  bench.lazy = false;  // W has a negative eigenvalue: a smaller step
  bench.problem.X = std::make_shared<const DataMatrix>(uneven_rows(bench.problem.X->dense()));
  for (const TrackingForm form : {TrackingForm::diging, TrackingForm::adapt_then_combine})
    CHECK(distance_to_optimum<GradientTracking>(bench, GradientTrackingOptions{{}, form}) < 1e-10);
}

}  // namespace lagnet::gradient_tracking_test
