#include "algorithms/peers/compressed/beer.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::beer_test {

using namespace lagnet::test;

namespace {
constexpr double rounding = 1e-13;  // dozens of sums and products of numbers of size 1
}

TEST_CASE("beer is its four lines written down for all agents at once") {
  for (const CompressorOptions& Q : std::vector<CompressorOptions>{
           TopKOptions{.k = 1}, DitheringOptions{.levels = 3, .norm = DitheringNorm::linf, .contractive = true}}) {
    const PeerBench bench = ring_bench(30);
    const Beer method({.step = 0.05, .gamma = 0.3, .compressor = Q}, bench.assignment());
    const PeerResult result = simulate(bench, method);
    const StackedCompressor stacked(Q, 4);
    const Matrix W = bench.W();
    Matrix X = Matrix::Zero(5, 4), H = X, G = X, V = gradients(method, X);
    for (Round t = 1; t <= bench.rounds; ++t) {
      const Matrix before = gradients(method, X);
      X += 0.3 * (W * H - H) - 0.05 * V;
      V += 0.3 * (W * G - G) + gradients(method, X) - before;
      const std::vector<Matrix> q = stacked.round_of_all(t, {X - H, V - G});
      H += q[0];
      G += q[1];
      CHECK(distance(result, static_cast<std::size_t>(t), X) < rounding);
    }
  }
}

TEST_CASE("beer reaches the optimum with one entry of four where choco stalls") {
  CHECK(distance_to_optimum<Beer>(ring_bench(3000),
                                  BeerOptions{.step = 0.05, .gamma = 0.3, .compressor = TopKOptions{.k = 1}}) < 1e-10);
}

TEST_CASE("the mean of beer moves by the mean gradient since V and the gradients have one sum") {
  const PeerBench bench = ring_bench(60);
  const Beer method({.step = 0.05, .gamma = 0.3, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  for (std::size_t t = 0; t < 60; ++t) {
    Vector g = Vector::Zero(4);
    for (AgentId i = 0; i < 5; ++i) g += method.gradient(i, result.theta(t, i)) / 5;
    CHECK((mean_iterate(result, t + 1) - mean_iterate(result, t) + 0.05 * g).norm() < rounding);
  }
}

TEST_CASE("beer bills a gradient, twelve flops an entry, two compressions and sums of kept entries") {
  PeerBench bench = ring_bench(5);
  bench.problem.regularizer = make_regularizer(L2Options{.weight = 0.1});
  const Beer method({.step = 0.05, .gamma = 0.3, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  const Flops g = 4 * 20 * 4 + 2 * 4;
  CHECK(in_round_3(result, 1).flops == g + 12 * 4 + 2 * (4 + 4) + 2 * (2 * 2 + 3));
  CHECK(result.accounts[1][1].flops == g + in_round_3(result, 1).flops);
  CHECK(in_round_3(result, 1).bytes_sent == 2 * ((2 * (64 + 2) + 7) / 8));
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
  CHECK(timing.ledger.total().bytes_sent == result.ledger.total().bytes_sent);
}

TEST_CASE("one agent alone makes gradient steps whatever the compressor of beer is") {
  const PeerBench bench = one_agent(20);
  const Beer method({.step = 0.1, .gamma = 0.3, .compressor = ScaledSignOptions{}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Vector x = Vector::Zero(4);
  for (std::size_t t = 1; t <= 20; ++t) {
    x -= 0.1 * method.gradient(0, x);
    CHECK((result.theta(t, 0) - x).norm() < rounding);
  }
}

}  // namespace lagnet::beer_test
