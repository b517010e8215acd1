#include "algorithms/peers/asynchronous/walkman.hpp"

#include <catch2/catch.hpp>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/local/dual_gradient.hpp"
#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::walkman_test {

using namespace lagnet::test;

namespace {

/// Visits take 1 ms, and messages another one.
MomentsBench walk_bench(double visits, bool logistic = false) {
  MomentsBench bench{.peers = uneven_bench(1, 5, logistic), .end_ms = 2 * visits - 0.5};
  bench.update_ms.assign(6, 1);
  return bench;
}

/// Reports of visits.
std::vector<MomentReport> visits_of(const MomentsResult& result) {
  std::vector<MomentReport> all;
  for (const MomentReport& one : result.reports)
    if (one.n > 0) all.push_back(one);
  return all;
}

}  // namespace

TEST_CASE("Walkman is its equations written down, visit by visit") {
  const MomentsBench bench = walk_bench(40);
  const double beta = 8, m = 6;
  for (const VisitStep local : {VisitStep::gradient, VisitStep::exact})
    for (const TokenWalk walk : {TokenWalk::cycle, TokenWalk::random}) {
      const WalkmanOptions options{.beta = beta, .local = local, .walk = walk};
      const Walkman method(options, bench.assignment());
      const auto visits = visits_of(simulate(bench, method));
      REQUIRE(visits.size() == 40);
      const Vector zero = Vector::Zero(4);
      std::vector<Vector> y(6, zero), z(6, zero);
      Vector x = zero;
      AgentId i = 0;
      for (std::size_t t = 1; t <= 40; ++t) {
        const MomentReport& got = visits[t - 1];
        CHECK(got.agent == i);
        const Vector old = y[i] - z[i] / beta;
        if (local == VisitStep::gradient) {
          y[i] = x + (z[i] - method.gradient(i, y[i])) / beta;
        } else {
          Matrix all(4, 4);  // f_i is a quadratic, whose gradients at unit vectors have its matrix
          const Vector at_zero = method.gradient(i, zero);
          for (Index j = 0; j < 4; ++j) all.col(j) = method.gradient(i, Vector(Vector::Unit(4, j))) - at_zero;
          all.diagonal().array() += beta;
          y[i] = all.llt().solve(beta * x + z[i] - at_zero);
        }
        z[i] += beta * (x - y[i]);
        x += (y[i] - z[i] / beta - old) / m;
        CHECK((got.parts.at(0) - x).norm() < 1e-13);  // roundings of numbers of order 1
        CHECK(got.parts.at(1)[0] == static_cast<double>(t));
        const auto neighbors = bench.peers.neighbors(i);
        i = walk == TokenWalk::cycle
                ? (i + 1) % 6
                : neighbors[Draws(1, Purpose{"walk"}, i, static_cast<Round>(t)).below(neighbors.size())];
      }
    }
}

TEST_CASE("Walkman reaches the central optimum, of squared and logistic losses, by cycles and random walks") {
  for (const bool logistic : {false, true})
    for (const VisitStep local : {VisitStep::gradient, VisitStep::exact})
      for (const TokenWalk walk : {TokenWalk::cycle, TokenWalk::random}) {
        const MomentsBench bench = walk_bench(4000, logistic);
        const Walkman method({.local = local, .walk = walk}, bench.assignment());
        const auto visits = visits_of(simulate(bench, method));
        const Optimum optimum = solve_centrally(bench.peers.problem);
        // Linear convergence to rounding, which the condition number magnifies.
        CHECK((visits.back().parts.at(0) - optimum.theta).norm() < 1e-10);
      }
}

TEST_CASE("the newest token is Walkman's iterate, whoever has reported it") {
  const MomentsBench bench = walk_bench(3);
  const Walkman method({.beta = 8}, bench.assignment());
  const MomentsResult result = simulate(bench, method);
  std::vector<std::vector<Vector>> report(6);
  for (AgentId i = 0; i < 6; ++i) report[i] = method.first_report(i);
  CHECK(method.evaluate(0, report, {}).iterate == Vector(Vector::Zero(4)));
  for (const MomentReport& one : result.reports) report[one.agent] = one.parts;
  const Evaluation value = method.evaluate(0, report, {});
  CHECK(value.iterate == visits_of(result).back().parts.at(0));
  CHECK(value.objective == bench.peers.problem.objective(value.iterate));
  CHECK(value.metrics.size() == method.metric_names().size());
}

TEST_CASE("a visit of Walkman costs a gradient and 13 d flops, or a solution and 10 d, and a message of d numbers") {
  const MomentsBench bench = walk_bench(7);
  const Index d = 4;
  for (const VisitStep local : {VisitStep::gradient, VisitStep::exact}) {
    const MomentsResult result = simulate(bench, WalkmanOptions{.beta = 8, .local = local});
    const bool is_exact = local == VisitStep::exact;
    for (AgentId i = 0; i < 6; ++i) {
      const Index n = bench.peers.sizes[i], visits = i == 0 ? 2 : 1;
      const Flops factor = n * d * (d + 1) + 2 * n * d + d * d * d / 3;
      const Flops visit = is_exact ? 2 * d * d + d + 10 * d : 4 * n * d + 2 * d + 13 * d;
      CHECK(result.ledger.agent(i).flops == visits * visit + (is_exact ? factor : 0));
      CHECK(result.ledger.agent(i).bytes_sent == visits * 8 * d);
      CHECK(result.ledger.agent(i).messages_sent == visits);
    }
  }
}

TEST_CASE("an agent of Walkman that has a clock begins its visit at a tick") {
  MomentsBench bench = walk_bench(3);
  bench.period_ms.assign(6, 5);
  bench.end_ms = 30;
  const auto visits = visits_of(simulate(bench, WalkmanOptions{.beta = 8}));
  for (std::size_t k = 0; k < visits.size(); ++k)
    CHECK(visits[k].at == Time() + Duration::milliseconds(5.0 * (k + 1) + 1));
}

TEST_CASE("Walkman of one agent visits it again and again") {
  MomentsBench bench = walk_bench(1);
  bench.peers = alone(bench.peers);
  bench.update_ms = {1};
  bench.end_ms = 3000.5;
  const auto visits = visits_of(simulate(bench, WalkmanOptions{}));
  CHECK(visits.size() == 3000);
  const Optimum optimum = solve_centrally(bench.peers.problem);
  CHECK((visits.back().parts.at(0) - optimum.theta).norm() < 1e-11);
}

TEST_CASE("Walkman refuses a cycle without its edges, which a random walk does not need") {
  MomentsBench bench = walk_bench(1);
  bench.peers.edges = {{0, 1}, {0, 2}, {2, 3}, {2, 4}, {4, 5}};
  CHECK(refusal_of(WalkmanOptions{}, bench.assignment()) ==
        "walk: expected random, or a topology with the edges 0-1, 1-2, .. and back to 0, found cycle, and agents 1 and "
        "2 that are no neighbors");
  CHECK(refusal_of(WalkmanOptions{.walk = TokenWalk::random}, bench.assignment()).empty());
  CHECK(constant_of(Walkman({.walk = TokenWalk::random}, bench.assignment()), "beta") > 0);
}

}  // namespace lagnet::walkman_test
