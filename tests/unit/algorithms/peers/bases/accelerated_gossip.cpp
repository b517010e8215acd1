#include "algorithms/peers/bases/accelerated_gossip.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::accelerated_gossip_test {

namespace {

using namespace lagnet::test;

PeerBench path_of_four() {
  return {.problem = normal_regression(8, 3), .sizes = {2, 2, 2, 2}, .edges = {{0, 1}, {1, 2}, {2, 3}, {1, 3}}};
}

/// P(Wl) from eigenvalues: 1 - T_K(c2 (1 - c3 lambda)) / T_K(c2).
Matrix spectral(const Matrix& L, Index K) {
  auto [values, vectors] = symmetric_eigen(L);
  const double lmax = values[values.size() - 1], chi = lmax / values[1];
  const double c2 = (chi + 1) / (chi - 1), c3 = 2 * chi / ((1 + chi) * lmax);
  const auto T = [K](double x) {
    double before = 1, now = x;
    for (Index k = 1; k < K; ++k) before = std::exchange(now, 2 * x * now - before);
    return now;
  };
  for (double& value : values) value = 1 - T(c2 * (1 - c3 * value)) / T(c2);
  return vectors * values.asDiagonal() * vectors.transpose();
}

struct Products : Recorder {
  Matrix rows;
  void reported(AgentId agent, Round, std::span<const VectorView> parts) override {
    if (!parts.empty()) rows.row(agent) = parts[0].transpose();
  }
};

Task<> multiply_once(Agent& me, const AcceleratedGossip& P, const Matrix& start) {
  StateVector u = me.vector(start.cols());
  auto fill = [&] { u = Vector(start.row(me.id())); };
  co_await me.compute(Cost(), fill);
  co_await P.multiply(me, u);
  me.report(0, u);
}

/// The rows that agents have after a multiplication, and what it cost.
Matrix product(const PeerBench& bench, const AcceleratedGossip& P, const Matrix& start, Ledger& ledger,
               bool timing_only = false) {
  Simulation world = bench.world(timing_only);
  ledger = Ledger(static_cast<AgentId>(bench.agents()), world.network().links());
  Products products;
  products.rows = Matrix::Zero(start.rows(), start.cols());
  world.listen(ledger);
  world.record(products);
  for (AgentId i = 0; i < start.rows(); ++i) world.spawn(i, multiply_once(world.agent(i), P, start));
  world.run();
  return products.rows;
}

}  // namespace

TEST_CASE("Agents multiply with the polynomial of their graph's Laplacian for what is stated") {
  const PeerBench bench = path_of_four();
  const Matrix L = laplacian_of(4, bench.edges), start = testing::normal_matrix(4, 3, 2);
  Ledger ledger(0, 0), timing(0, 0);
  for (const Index K : {0, 1, 2, 5}) {
    const AcceleratedGossip P(K, bench.assignment().network, "test");
    const Matrix expected = K == 0 ? Matrix(L * start) : Matrix(spectral(L, K) * start);
    const Matrix found = product(bench, P, start, ledger);
    CHECK((found - expected).norm() < 1e-13 * expected.norm() * 100);  // dozens of roundings, and those of T_K
    CHECK(found.colwise().sum().norm() < 1e-13);
    const Index exchanges = K == 0 ? 1 : K;
    for (AgentId i = 0; i < 4; ++i) {
      const Index degree = std::ssize(bench.neighbors(i));
      CHECK(ledger.agent(i).flops == (K == 0 ? 2 * degree + 1 : K * (2 * degree + 6)) * 3);
      CHECK(ledger.agent(i).bytes_sent == exchanges * degree * 3 * 8);
    }
    product(bench, P, start, timing, true);
    CHECK(timing.total().flops == ledger.total().flops);
    CHECK(timing.total().bytes_sent == ledger.total().bytes_sent);
  }
}

TEST_CASE("By default the degree is the root of the condition number") {
  PeerBench bench = path_of_four();
  bench.sizes.assign(16, 1);
  bench.edges = ring_edges(16);
  const AcceleratedGossip P(std::nullopt, bench.assignment().network, "test");
  CHECK(P.K() == 5);
  CHECK(P.chi() == Approx(26.27).epsilon(1e-3));  // 4 / (2 - 2 cos(pi / 8))
}

TEST_CASE("The polynomial of one agent is 0 and costs nothing") {
  PeerBench bench = path_of_four();
  bench.sizes = {8};
  bench.edges.clear();
  const AcceleratedGossip P(3, bench.assignment().network, "test");
  CHECK((P.K() == 0 && P.largest() == 1 && P.least() == 1));
  Ledger ledger(0, 0);
  CHECK(product(bench, P, Matrix::Ones(1, 3), ledger) == Matrix::Zero(1, 3));
  CHECK(ledger.total().flops == 0);
}

TEST_CASE("Polynomials are refused for a topology that changes and without eigenvalues where no degree is named") {
  NetworkFacts network = path_of_four().assignment().network;
  network.changes = true;
  CHECK_THROWS_WITH(AcceleratedGossip(2, network, "msda"),
                    "kind: expected a topology that stays as it is, since msda needs every exchange, found one that "
                    "changes");
  network.changes = false;
  network.graphs.clear();
  CHECK_THROWS_WITH(AcceleratedGossip(std::nullopt, network, "msda"),
                    "K: expected a number, since the eigenvalues of a fleet are not computed with numerics off, found "
                    "null");
  CHECK(AcceleratedGossip(3, network, "msda").K() == 3);
}

}  // namespace lagnet::accelerated_gossip_test
