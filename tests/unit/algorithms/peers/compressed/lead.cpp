#include "algorithms/peers/compressed/lead.hpp"

#include <catch2/catch.hpp>

#include "algorithms/peers/nids.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::lead_test {

using namespace lagnet::test;

namespace {

constexpr double rounding = 1e-12;  // dozens of rounds, whose roundings D adds up

const DitheringOptions two_bits{.levels = 2, .norm = DitheringNorm::linf};

double distance_of(const PeerBench& bench, const LeadOptions& options) {
  return distance_to_optimum<Lead>(bench, options);
}

}  // namespace

TEST_CASE("lead is its seven lines written down for all agents at once") {
  PeerBench bench = ring_bench(30);
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = 0.2, .l2_weight = 0.1});
  const Lead method({.step = 0.2, .alpha = 0.4, .gamma = 0.7, .compressor = two_bits}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const StackedCompressor stacked(two_bits, 4);
  const auto r = make_regularizer(L1Options{.weight = 0.2});  // the square is in the gradients
  const auto prox = [&](Matrix X) {
    for (Index i = 0; i < X.rows(); ++i) X.row(i) = r->prox(Vector(X.row(i)), 0.2).transpose();
    return X;
  };
  const Matrix zero = Matrix::Zero(5, 4), apart = Matrix::Identity(5, 5) - bench.W();
  Matrix D = zero, H = zero, X = prox(-0.2 * gradients(method, zero));
  for (Round t = 1; t <= bench.rounds; ++t) {
    const Matrix Z = X - 0.2 * gradients(method, X) - 0.2 * D, q = stacked.round(t, Z - H), E = apart * (H + q);
    H += 0.4 * q;
    D += 0.7 / 0.4 * E;
    X = prox(Z - 0.35 * E);
    CHECK(distance(result, static_cast<std::size_t>(t), X) < rounding);
  }
}

TEST_CASE("lead that compresses nothing with gamma 1 is nids round by round for any alpha") {
  const PeerBench bench = ring_bench(60);
  const PeerResult nids = simulate<Nids>(bench, NidsOptions{{.step = 0.3}});
  for (const double alpha : {0.3, 1.0}) {
    const PeerResult lead = simulate<Lead>(bench, LeadOptions{.step = 0.3, .alpha = alpha});
    for (std::size_t t = 0; t <= 60; ++t)
      for (AgentId i = 0; i < 5; ++i) CHECK((lead.theta(t, i) - nids.theta(t, i)).norm() < rounding);
  }
}

TEST_CASE("lead reaches the optimum with two bits an entry and theory's step") {
  CHECK(distance_of(ring_bench(600), {.compressor = two_bits}) < 1e-10);  // the drift of D leaves more than rounding
}

// The drift of D leaves 1e-10, and the solver of the composite optimum as much again.
TEST_CASE("lead reaches composite optima with or without a square in every f_i") {
  PeerBench bench = ring_bench(2000);
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.3});
  CHECK(distance_of(bench, {.compressor = two_bits}) < 1e-9);
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = 0.3, .l2_weight = 0.5});
  CHECK(distance_of(bench, {.compressor = two_bits}) < 1e-9);
}

TEST_CASE("the mean of lead moves by the mean gradient since D adds up to 0") {
  const PeerBench bench = ring_bench(100);
  const Lead method({.step = 0.2, .compressor = two_bits}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  for (std::size_t t = 1; t < 100; ++t) {
    Vector g = Vector::Zero(4);
    for (AgentId i = 0; i < 5; ++i) g += method.gradient(i, result.theta(t, i)) / 5;
    CHECK((mean_iterate(result, t + 1) - mean_iterate(result, t) + 0.2 * g).norm() < rounding);
  }
}

TEST_CASE("lead bills a gradient, thirteen flops an entry, a compression, sums of kept entries and a prox") {
  PeerBench bench = ring_bench(5);
  bench.problem.regularizer = make_regularizer(ElasticNetOptions{.l1_weight = 0.2, .l2_weight = 0.1});
  const Lead method({.step = 0.2, .compressor = RandKOptions{.k = 2}}, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  const Flops g = 4 * 20 * 4 + 2 * 4, p = 3 * 4;
  CHECK(in_round_3(result, 1).flops == g + 13 * 4 + 2 * 2 + (2 * 2 + 5) * 2 + p);
  CHECK(result.accounts[1][1].flops == g + 2 * 4 + p + in_round_3(result, 1).flops);
  CHECK(in_round_3(result, 1).bytes_sent == 2 * ((2 * 64 + 4 + 7) / 8));
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
  CHECK(timing.ledger.total().bytes_sent == result.ledger.total().bytes_sent);
}

TEST_CASE("one agent alone makes proximal gradient steps") {
  PeerBench bench = one_agent(20);
  bench.problem.regularizer = make_regularizer(L1Options{.weight = 0.3});
  const Lead method({.step = 0.3, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  Vector x = Vector::Zero(4);
  for (std::size_t t = 0; t <= 20; ++t) {
    if (t > 0) CHECK((result.theta(t, 0) - x).norm() < rounding);
    if (t == 0) x = bench.problem.regularizer->prox(x - 0.3 * method.gradient(0, x), 0.3);  // before round 1
    x = bench.problem.regularizer->prox(x - 0.3 * method.gradient(0, x), 0.3);
  }
}

}  // namespace lagnet::lead_test
