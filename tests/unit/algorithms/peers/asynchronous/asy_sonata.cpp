#include "algorithms/peers/asynchronous/asy_sonata.hpp"

#include <catch2/catch.hpp>

#include "algorithms/central/solve_centrally.hpp"
#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"

namespace lagnet::asy_sonata_test {

using namespace lagnet::test;

TEST_CASE("ASY-SONATA of one agent is gradient descent") {
  MomentsBench bench{.peers = {.problem = normal_regression(12, 3), .sizes = {12}}, .end_ms = 30.5, .update_ms = {1}};
  const MomentsResult result = simulate(bench, AsySonataOptions{.step = 0.2});
  const Problem& problem = bench.peers.problem;
  const Matrix X = problem.X->dense();
  Vector x = Vector::Zero(3);
  for (int n = 1; n <= 30; ++n) {
    x -= 0.2 / 12 * (X.transpose() * (X * x - problem.y));
    CHECK((result.x(0, n) - x).norm() <= 30 * few_roundings * (10 + n));
  }
}

TEST_CASE("ASY-SONATA's agents continue with their own state while no messages arrive") {
  MomentsBench bench = two_agents(1, 3);
  bench.peers.latencies_ns = {1'000'000'000};
  bench.update_ms = {10, 25};
  bench.end_ms = 29;
  const MomentsResult result = simulate(bench, AsySonataOptions{.step = 0.4});
  // From x = 0, z = g = -1: v = 0.4, x = v / 2, g = -0.8, z = (z + g - old g) / 2 = -0.4; then v = 0.2 + 0.4 0.4.
  CHECK(result.value(0, 10) == Approx(0.2));
  CHECK(result.value(0, 20) == Approx(0.18));
  CHECK(result.value(1, 24.9) == 0);
  CHECK(result.value(1, 25) == Approx(0.6));
  for (const MomentReport& one : result.reports) CHECK(std::abs(one.parts.at(1)[0]) <= few_roundings);
}

TEST_CASE("ASY-SONATA uses the newest message from before and after its computation") {
  MomentsBench bench = two_agents(1, 3);
  bench.update_ms = {10, 10.5};
  bench.peers.latencies_ns = {15'000'000};
  bench.end_ms = 49;
  const MomentsResult result = simulate(bench, AsySonataOptions{.step = 0.4});
  // Of agent 1: v = 1.2 and rho = -2.4 / 2 = -1.2 at 10.5 ms, there at 25.5 ms, during agent 0's third update: the sum
  // is used when that ends, v from the fourth update on.
  double x = 0.18, z = -0.21, g = -0.82;  // of agent 0 after two updates
  double v = x - 0.4 * z, h = 0;
  x = v / 2;
  h = z - 1.2 + (x - 1) - g;
  g = x - 1;
  z = h / 2;
  CHECK(result.value(0, 30) == Approx(x));
  v = x - 0.4 * z;
  x = v / 2 + 1.2 / 2;
  CHECK(result.value(0, 40) == Approx(x));
  CHECK(result.used.at({0, 0}) == 2);  // at 0 and 10 ms agent 1 has made no update
  CHECK(result.used.at({0, 1}) == 3);  // at 20, 30 and 40 ms one, two and three, of which 0, 1 and 2 have come
}

TEST_CASE("ASY-SONATA reaches the common minimizer with a third of the messages lost") {
  MomentsBench bench{.peers = {.problem = normal_regression(32, 3), .sizes = {8, 8, 8, 8}, .edges = ring_edges(4)},
                     .end_ms = 40'000,
                     .update_ms = {10, 11, 13, 40}};
  bench.peers.model.faults.push_back(std::make_shared<IndependentLoss>(0.3));
  const Vector best = solve_centrally(bench.peers.problem).theta;
  const MomentsResult result = simulate(bench, AsySonataOptions{.step = 0.3});
  for (AgentId i = 0; i < 4; ++i) CHECK((result.x(i, 40'000) - best).norm() < 1e-6);
  CHECK(refusal_of(AsySonataOptions{.step = 0}, bench.assignment()).starts_with("step: expected a number above 0"));
}

}  // namespace lagnet::asy_sonata_test
