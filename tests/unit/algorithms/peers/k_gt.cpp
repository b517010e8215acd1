#include "algorithms/peers/k_gt.hpp"

#include <catch2/catch.hpp>

#include "algorithms/peers/gradient_tracking.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::k_gt_test {

using namespace lagnet::test;

namespace {

/// Of numbers of order 1, which the contraction does not add up.
constexpr double roundings = 1e-13;

}  // namespace

TEST_CASE("K-GT is its equations written down for all agents at once, and its corrections add up to 0") {
  for (const auto& [K, eta_s] : {std::pair<Index, double>{1, 1}, {3, 0.7}}) {
    const PeerBench bench = uneven_bench(40);
    const double alpha = 0.03;
    const KGt method({{.step = alpha}, {.local_steps = K}, eta_s}, bench.assignment());
    const PeerResult result = simulate(bench, method);
    Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), c = x;
    for (std::size_t t = 1; t <= 40; ++t) {
      Matrix v = x;
      for (Index k = 0; k < K; ++k) v -= alpha * (gradients(method, v) + c);
      const double all_K = static_cast<double>(K) * alpha;
      const Matrix z = (x - v) / all_K;
      c += bench.W() * z - z;
      x = bench.W() * (x - all_K * eta_s * z);
      CHECK(distance(result, t, x) < roundings);
      CHECK(c.colwise().sum().norm() < roundings);
    }
  }
}

TEST_CASE("K-GT with one local step is gradient tracking that adapts first, with the product of both steps") {
  const PeerBench bench = ring_bench(60);
  const KGt method({{.step = 0.1}, {}, 0.5}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const double alpha = 0.1 * 0.5;
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), g = gradients(method, x), y = g;
  for (std::size_t t = 1; t <= 60; ++t) {
    x = bench.W() * (x - alpha * y);
    const Matrix h = gradients(method, x);
    y = bench.W() * y + h - g;
    g = h;
    CHECK(distance(result, t, x) < roundings);
  }
}

TEST_CASE("K-GT reaches the central optimum with local steps, of squared and logistic losses") {
  for (const bool logistic : {false, true})
    // Linear convergence to rounding, which the condition number magnifies.
    CHECK(distance_to_optimum<KGt>(uneven_bench(3000, 5, logistic), KGtOptions{{}, {.local_steps = 4}}) < 1e-11);
}

TEST_CASE("K-GT takes the samples of its local steps from one sequence a round") {
  const PeerBench bench = ring_bench(2);
  const double alpha = 0.05;
  const KGt method({{.step = alpha}, {.local_steps = 2, .batch = 6}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), c = x;
  for (Round t = 1; t <= 2; ++t) {
    Matrix v = x;
    for (AgentId i = 0; i < bench.agents(); ++i) {
      const Minibatches batches(20, 6, 2, Draws(1, Purpose{"minibatch"}, i, t));
      for (Index k = 0; k < 2; ++k) {
        const Vector g = method.gradient(i, Vector(v.row(i)), batches.of_step(k));
        v.row(i) -= alpha * (g.transpose() + c.row(i));
      }
    }
    const Matrix z = (x - v) / (2 * alpha);
    c += bench.W() * z - z;
    x = bench.W() * (x - 2 * alpha * z);
    CHECK(distance(result, static_cast<std::size_t>(t), x) < roundings);
  }
}

TEST_CASE("a round of K-GT costs K gradients, one message of 2 d numbers to each neighbor, and what is said of flops") {
  const PeerBench bench = uneven_bench(4);
  const Index d = 4, K = 3, batch = 5;
  const KGt method({{.step = 0.05}, {.local_steps = K, .batch = batch}}, bench.assignment());
  check_timing(bench, method);
  const PeerResult result = simulate(bench, method);
  for (const AgentId i : {AgentId{0}, AgentId{1}}) {  // with l2
    const Index deg = std::ssize(bench.neighbors(i));
    CHECK(in_round_3(result, i).flops == K * (4 * batch * d + 2 * d + 3 * d) + (4 * deg + 8) * d);
    CHECK(in_round_3(result, i).bytes_sent == 8 * 2 * d * deg);
  }
  CHECK(result.ledger.agent(0).messages_sent == 4 * std::ssize(bench.neighbors(0)));
}

TEST_CASE("theory's step of K-GT is that of tracking divided by the local steps and the server's step") {
  const PeerBench bench = ring_bench(1);
  const double tracking = constant_of(GradientTracking({}, bench.assignment()), "step");
  CHECK(constant_of(KGt({{}, {.local_steps = 5}, 0.5}, bench.assignment()), "step") == Approx(tracking / 2.5));
}

}  // namespace lagnet::k_gt_test
