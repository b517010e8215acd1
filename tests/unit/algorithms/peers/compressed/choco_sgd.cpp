#include "algorithms/peers/compressed/choco_sgd.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::choco_sgd_test {

using namespace lagnet::test;

namespace {
constexpr double rounding = 1e-13;  // dozens of sums and products of numbers of size 1
}

TEST_CASE("choco_sgd is its five lines written down for all agents at once") {
  for (const CompressorOptions& Q :
       std::vector<CompressorOptions>{TopKOptions{.k = 1}, NaturalOptions{.contractive = true}}) {
    const PeerBench bench = ring_bench(30);
    const ChocoSgd method({.step = 0.1, .decay = 0.5, .gamma = 0.3, .compressor = Q}, bench.assignment());
    const PeerResult result = simulate(bench, method);
    const StackedCompressor stacked(Q, bench.problem.dim());
    Matrix X = Matrix::Zero(5, 4), H = X;
    for (Round t = 1; t <= bench.rounds; ++t) {
      X -= 0.1 / std::sqrt(static_cast<double>(t)) * gradients(method, X);
      H += stacked.round(t, X - H);
      X += 0.3 * (bench.W() * H - H);
      CHECK(distance(result, static_cast<std::size_t>(t), X) < rounding);
    }
  }
}

TEST_CASE("choco_sgd that gossips first averages with messages of the round before, at the same cost") {
  const CompressorOptions Q = TopKOptions{.k = 1};
  const PeerBench bench = ring_bench(30);
  ChocoSgdOptions options{.step = 0.1, .gamma = 0.3, .compressor = Q};
  const PeerResult other = simulate(bench, ChocoSgd(options, bench.assignment()));
  options.order = ChocoOrder::gossip_first;
  const ChocoSgd method(options, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  const StackedCompressor stacked(Q, bench.problem.dim());
  Matrix X = Matrix::Zero(5, 4), H = X;
  for (Round t = 1; t <= bench.rounds; ++t) {
    X += -0.1 * gradients(method, X) + 0.3 * (bench.W() * H - H);
    H += stacked.round(t, X - H);
    CHECK(distance(result, static_cast<std::size_t>(t), X) < rounding);
  }
  CHECK(distance(other, 30, X) > 1e-3);
  CHECK(result.ledger.total().flops == other.ledger.total().flops);
  CHECK(result.ledger.total().bytes_sent == other.ledger.total().bytes_sent);
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
}

TEST_CASE("choco_sgd that compresses nothing with gamma 1 adapts and then combines") {
  const PeerBench bench = ring_bench(20);
  const ChocoSgd method({.step = 0.2, .horizon = 10.0, .gamma = 1.0}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Matrix X = Matrix::Zero(5, 4);
  for (Round t = 1; t <= bench.rounds; ++t) {
    X = bench.W() * (X - 0.2 / (1 + static_cast<double>(t) / 10) * gradients(method, X));
    CHECK(distance(result, static_cast<std::size_t>(t), X) < rounding);
  }
}

TEST_CASE("the mean of choco_sgd moves by the mean gradient whatever is kept") {
  const PeerBench bench = ring_bench(50);
  const ChocoSgd method({.step = 0.05, .gamma = 0.3, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  for (std::size_t t = 0; t < 50; ++t) {
    Vector g = Vector::Zero(4);
    for (AgentId i = 0; i < 5; ++i) g += method.gradient(i, result.theta(t, i)) / 5;
    CHECK((mean_iterate(result, t + 1) - mean_iterate(result, t) + 0.05 * g).norm() < rounding);
  }
}

TEST_CASE("choco_sgd bills a gradient, a compression and sums of kept entries") {
  const PeerBench bench = ring_bench(5);
  const ChocoSgdOptions options{.step = 0.1, .gamma = 0.2, .compressor = ScaledSignOptions{}};
  const ChocoSgd method(options, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  CHECK(in_round_3(result, 1).flops == 4 * 20 * 4 + 6 * 4 + (3 * 4 + 1) + (2 * 2 + 3) * 4);
  CHECK(in_round_3(result, 1).bytes_sent == 2 * ((64 + 4 + 7) / 8));
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
  CHECK(timing.ledger.total().bytes_sent == result.ledger.total().bytes_sent);
}

TEST_CASE("minibatches of choco_sgd are drawn for each round and bill their own samples") {
  const PeerBench bench = ring_bench(5);
  const auto method = [&](std::optional<std::int64_t> batch) {
    return ChocoSgd({.step = 0.1, .gamma = 1.0, .batch = batch}, bench.assignment());
  };
  const ChocoSgd small = method(3);
  const PeerResult some = simulate(bench, small), timing = simulate(bench, small, true);
  CHECK(in_round_3(some, 1).flops == 4 * 3 * 4 + 6 * 4 + (2 * 2 + 3) * 4);
  CHECK(timing.ledger.total().flops == some.ledger.total().flops);
  const Minibatches first(20, 3, 1, Draws(1, Purpose{"minibatch"}, 2, 1));
  // Of one agent's first step its neighbors have as much as it: x_i = sum_j w_ij (-0.1 g_j).
  Vector expected = Vector::Zero(4);
  for (AgentId j = 0; j < 5; ++j) {
    const Minibatches batch(20, 3, 1, Draws(1, Purpose{"minibatch"}, j, 1));
    expected -= 0.1 * bench.W()(2, j) * small.gradient(j, Vector::Zero(4), batch.of_step(0));
  }
  CHECK((some.theta(1, 2) - expected).norm() < rounding);
  const PeerResult all = simulate(bench, method(20)), full = simulate(bench, method({}));
  CHECK(all.theta(5, 2) == full.theta(5, 2));
  CHECK(all.ledger.total().flops == full.ledger.total().flops);
}

TEST_CASE("a regularizer l2 is a part of each gradient of choco_sgd") {
  PeerBench bench = ring_bench(3);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.4});
  const ChocoSgd method({.step = 0.1, .gamma = 1.0}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  CHECK(in_round_3(result, 1).flops == 4 * 20 * 4 + 2 * 4 + 6 * 4 + (2 * 2 + 3) * 4);
  Matrix X = Matrix::Zero(5, 4);
  for (std::size_t t = 1; t <= 3; ++t) {
    X = bench.W() * (X - 0.1 * gradients(method, X));
    CHECK(distance(result, t, X) < rounding);
  }
}

TEST_CASE("one agent alone makes gradient steps whatever its compressor is") {
  const PeerBench bench = one_agent(20);
  const ChocoSgd method({.step = 0.1, .gamma = 0.3, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Vector x = Vector::Zero(4);
  for (std::size_t t = 1; t <= 20; ++t) {
    x -= 0.1 * method.gradient(0, x);
    CHECK((result.theta(t, 0) - x).norm() < rounding);
  }
}

}  // namespace lagnet::choco_sgd_test
