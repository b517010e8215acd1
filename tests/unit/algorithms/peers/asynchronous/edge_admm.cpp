#include "algorithms/peers/asynchronous/edge_admm.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"

namespace lagnet::edge_admm_test {

using namespace lagnet::test;

namespace {

/// f_0 = (x - 1)^2 / 2, f_1 = (x - 3)^2 / 2, so that x_i = (a_i + z_i) / 1.5 for rho = 1/2.
MomentsBench one_and_three(double end_ms) {
  MomentsBench bench = two_agents(1, 3);
  bench.update_ms = {10, 10};
  bench.end_ms = end_ms;
  return bench;
}

}  // namespace

TEST_CASE("ADMM over an edge moves z half of the way to the newest that came and then minimizes") {
  const MomentsResult result = simulate(one_and_three(49), EdgeAdmmOptions{.penalty = 0.5});
  CHECK(result.value(0, 10) == Approx(2.0 / 3));
  CHECK(result.value(1, 10) == Approx(2));
  CHECK(result.value(0, 20) == Approx(2.0 / 3));   // nothing had come when that update began
  CHECK(result.value(0, 30) == Approx(4.0 / 3));   // z_0 = 2/2
  CHECK(result.value(1, 30) == Approx(20.0 / 9));  // z_1 = (2/3)/2
  CHECK(result.value(0, 40) ==
        Approx(5.0 / 3));  // z_0 = 1/2 + 2/2: what agent 1 sent at 20 ms is what it had sent before
  CHECK(result.value(1, 40) == Approx(7.0 / 3));
}

TEST_CASE("ADMM over edges of one agent is the minimizer at once") {
  MomentsBench bench{.peers = {.problem = normal_regression(12, 3), .sizes = {12}}, .end_ms = 5, .update_ms = {1}};
  const Vector best = solve_centrally(bench.peers.problem).theta;
  // The optimum's certificate is a gradient of about 1e-10 of the data's, and conditions are below 100.
  CHECK((simulate(bench, EdgeAdmmOptions{.penalty = 0.5}).x(0, 1) - best).norm() <= 1e-7);
}

TEST_CASE("a neighbor that has little new to say is silent and its last word goes on being approached") {
  EdgeAdmmOptions options{.penalty = 0.5};
  options.edges.threshold = SendThreshold{.value = 1e6, .factor = 0.999};
  const MomentsResult result = simulate(one_and_three(99), options);
  CHECK(result.ledger.total().messages_sent == 2);
  for (int k = 1; k <= 7; ++k) {  // relaxations of agent 0, which begin at 20 ms
    const double z = 2 * (1 - std::pow(0.5, k));
    CHECK(result.value(0, 20 + 10 * k) == Approx((1 + z) / 1.5));
  }
  options.edges.threshold = SendThreshold{.value = 0, .factor = 0.5};
  const MomentsResult all = simulate(one_and_three(99), options);
  CHECK(all.ledger.total().messages_sent == 2 * 9 - 2);  // the second ones say what the first have said
}

TEST_CASE("ADMM over edges reaches the minimizer at different speeds, with losses, by exact and inexact steps") {
  MomentsBench bench{.peers = {.problem = normal_regression(32, 3), .sizes = {5, 12, 8, 7}, .edges = ring_edges(4)},
                     .end_ms = 30'000,
                     .update_ms = {10, 11, 13, 40}};
  bench.peers.model.faults.push_back(std::make_shared<IndependentLoss>(0.3));
  const Vector best = solve_centrally(bench.peers.problem).theta;
  for (const double alpha : {0.3, 0.5, 0.7}) {
    const MomentsResult result = simulate(bench, EdgeAdmmOptions{.penalty = 0.4, .edges = {.relaxation = alpha}});
    for (AgentId i = 0; i < 4; ++i) CHECK((result.x(i, 30'000) - best).norm() < 1e-6);
  }
  const EdgeAdmmOptions exact{.penalty = 0.4}, inexact{.penalty = 0.4, .accuracy = 1e-10};
  const MomentsResult want = simulate(bench, exact);
  bench.peers.problem.loss = make_loss(HuberOptions{.threshold = 1e6});  // the squared loss, for these labels
  CHECK(refusal_of(exact, bench.assignment()).starts_with("accuracy: expected above 0"));
  const MomentsResult got = simulate(bench, inexact);
  for (AgentId i = 0; i < 4; ++i)
    for (const double ms : {10, 100, 1000, 10'000}) CHECK((got.x(i, ms) - want.x(i, ms)).norm() < 1e-7);
}

}  // namespace lagnet::edge_admm_test
