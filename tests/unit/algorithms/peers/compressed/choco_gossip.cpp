#include "algorithms/peers/compressed/choco_gossip.hpp"

#include <catch2/catch.hpp>

#include "algorithms/peers/gossip_averaging.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::choco_gossip_test {

using namespace lagnet::test;

namespace {

constexpr double rounding = 1e-13;  // dozens of sums and products of numbers of size 1

Matrix starts_of(const Algorithm& method, const PeerBench& bench) {
  Matrix X(bench.agents(), bench.problem.dim());
  for (AgentId i = 0; i < bench.agents(); ++i) X.row(i) = method.first_report(i).at(0).transpose();
  return X;
}

double error_of(const ChocoGossip& method, const PeerResult& result, std::size_t t) {
  return method.evaluate(static_cast<Round>(t), result.reports.at(t), {}).metrics.at(0).value();
}

}  // namespace

TEST_CASE("choco_gossip is its four lines written down for all agents at once") {
  for (const CompressorOptions& Q :
       std::vector<CompressorOptions>{TopKOptions{.k = 1}, RandKOptions{.k = 2, .scaled = false},
                                      DitheringOptions{.levels = 2, .contractive = true}}) {
    const PeerBench bench = ring_bench(30);
    const ChocoGossip method({.gamma = 0.2, .compressor = Q}, bench.assignment());
    const PeerResult result = simulate(bench, method);
    const StackedCompressor stacked(Q, bench.problem.dim());
    Matrix X = starts_of(method, bench), H = Matrix::Zero(X.rows(), X.cols());
    for (Round t = 1; t <= bench.rounds; ++t) {
      H += stacked.round(t, X - H);
      X += 0.2 * (bench.W() * H - H);
      CHECK(distance(result, static_cast<std::size_t>(t), X) < rounding);
    }
  }
}

TEST_CASE("choco_gossip that compresses nothing with gamma 1 is gossip") {
  const PeerBench bench = ring_bench(30);
  const PeerResult plain = simulate(bench, GossipAveraging({}, bench.assignment()));
  const PeerResult choco = simulate(bench, ChocoGossip({.gamma = 1.0}, bench.assignment()));
  for (std::size_t t = 0; t <= 30; ++t)
    for (AgentId i = 0; i < 5; ++i) CHECK((choco.theta(t, i) - plain.theta(t, i)).norm() < rounding);
  CHECK(choco.ledger.total().bytes_sent == plain.ledger.total().bytes_sent);
}

TEST_CASE("choco_gossip keeps the mean and converges to it with one number a message") {
  const PeerBench bench = ring_bench(1500);
  const ChocoGossip method({.gamma = 0.2, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  CHECK(error_of(method, result, 0) == 1);
  CHECK(error_of(method, result, 1500) < 1e-10);
  CHECK((mean_iterate(result, 1500) - mean_iterate(result, 0)).norm() < 1500 * 1e-15);  // a few roundings each
  CHECK(result.ledger.total().bytes_sent == 1500 * 10 * ((64 + 2 + 7) / 8));
}

TEST_CASE("choco_gossip bills a compression and sums of kept entries") {
  const PeerBench bench = ring_bench(5);
  const ChocoGossip method({.gamma = 0.2, .compressor = TopKOptions{.k = 2}}, bench.assignment());
  const PeerResult result = simulate(bench, method), timing = simulate(bench, method, true);
  CHECK(in_round_3(result, 1).flops == 4 * 4 + (4 + 4 * 2) + (2 * 2 + 3) * 2);
  CHECK(in_round_3(result, 1).bytes_sent == 2 * ((2 * 64 + 4 + 7) / 8));
  CHECK(timing.ledger.total().flops == result.ledger.total().flops);
  CHECK(timing.ledger.total().bytes_sent == result.ledger.total().bytes_sent);
}

TEST_CASE("theory's gamma is small and safe") {
  const PeerBench bench = ring_bench(400);
  const ChocoGossip method({.compressor = TopKOptions{.k = 1}}, bench.assignment());
  const double gamma = method.constants().at(0).second;
  CHECK(gamma == choco_gamma(bench.assignment().network, 0.25));
  CHECK(gamma < 0.02);
  const PeerResult result = simulate(bench, method);
  CHECK(error_of(method, result, 400) < 1);
}

TEST_CASE("a single agent keeps its vector and sends nothing") {
  const PeerBench bench = one_agent(5);
  const ChocoGossip method({.gamma = 0.5, .compressor = TopKOptions{.k = 1}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  CHECK(result.theta(5, 0) == result.theta(0, 0));
  CHECK(result.ledger.total().messages_sent == 0);
  CHECK_FALSE(method.evaluate(5, result.reports.at(5), {}).metrics.at(0));  // all agents agree
}

}  // namespace lagnet::choco_gossip_test
