#include "algorithms/peers/bases/accelerated_gossip.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::accelerated_gossip_test {

namespace {

using test::laplacian_of;
using test::spectrum_of;

/// P(Wl) by the recursion, as agents do it.
Matrix recursive(const LaplacianPolynomial& P, const Matrix& L) {
  const Matrix identity = Matrix::Identity(L.rows(), L.rows());
  if (P.is_plain()) return L;
  Matrix x = identity, before = identity;
  for (Index k = 0; k < P.exchanges(); ++k) {
    const auto [of_product, of_last] = P.step(k);
    Matrix next = of_product * (L * x) + of_last * x;
    if (k > 0) next -= before;
    before = std::exchange(x, std::move(next));
  }
  return identity - x / P.scale();
}

/// 2 q^K / (1 + q^2K), q = (sqrt(chi) - 1) / (sqrt(chi) + 1).
double width(double chi, Index K) {
  const double q = (std::sqrt(chi) - 1) / (std::sqrt(chi) + 1), power = std::pow(q, static_cast<double>(K));
  return 2 * power / (1 + power * power);
}

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

TEST_CASE("The polynomial of a ring's Laplacian has its eigenvalues within its bounds and meets the lower one") {
  for (const AgentId m : {AgentId{6}, AgentId{8}, AgentId{16}, AgentId{32}}) {
    const Matrix L = laplacian_of(m, test::ring_edges(m));
    const GraphSpectrum graph = spectrum_of(L);
    const double chi = graph.largest / graph.least;
    for (const Index K : {Index{1}, Index{2}, Index{3}, LaplacianPolynomial::usual_degree(graph)}) {
      CAPTURE(m, K);
      const LaplacianPolynomial P(K, graph);
      const double e = width(chi, K);
      CHECK(P.exchanges() == K);
      CHECK(P.largest() == Approx(1 + e).epsilon(1e-12));
      CHECK(P.least() == Approx(1 - e).epsilon(1e-9));  // a difference of numbers near 1
      const Matrix polynomial = recursive(P, L);
      const Vector found = testing::eigenvalues(polynomial);  // ascending, the first is 0
      // Coefficients of the size of a_K c2^K, below 1e3, and dozens of roundings.
      CHECK(std::abs(found[0]) < 1e-12);
      CHECK(found[1] == Approx(1 - e).margin(1e-12));
      CHECK(found[found.size() - 1] <= 1 + e + 1e-12);
      CHECK((polynomial * Matrix::Ones(L.rows(), 1)).norm() < 1e-12);
    }
  }
}

TEST_CASE("The usual degree is the root of the condition number and leaves eigenvalues within a factor of 19/15") {
  const auto usual = [](AgentId m) {
    return LaplacianPolynomial::usual_degree(spectrum_of(laplacian_of(m, test::ring_edges(m))));
  };
  CHECK(usual(6) == 2);  // chi = 4, whose eigenvalues are rounded
  CHECK(usual(8) == 2);
  CHECK(usual(16) == 5);
  CHECK(usual(32) == 10);
  // Kovalev, Salim, Richtarik 2020: 2 q^K / (1 + q^2K) <= 4/15 for K >= sqrt(chi), so that the ratio is below 19/11.
  for (const double chi : {4.0, 25.0, 100.0, 1e4}) {
    const LaplacianPolynomial P(LaplacianPolynomial::usual_degree({chi, 1}), {chi, 1});
    CHECK(P.largest() <= 1 + 4.0 / 15);
    CHECK(P.least() >= 1 - 4.0 / 15);
  }
}

TEST_CASE("Steps from the polynomial's bounds are the constants that the paper prints for MSDA") {
  const double mu = 0.1, L = 1.3, kappa = L / mu;
  for (const double chi : {4.0, 6.83, 26.3, 104.0})
    for (const Index K : {1, 2, 5, 10}) {
      const LaplacianPolynomial P(K, {chi, 1});
      const double q = (std::sqrt(chi) - 1) / (std::sqrt(chi) + 1), c = std::pow(q, static_cast<double>(K));
      const double eta = mu / P.largest(), g = std::sqrt(P.least() / P.largest());
      const double beta = (std::sqrt(kappa) - g) / (std::sqrt(kappa) + g);
      CHECK(eta == Approx(mu * (1 + c * c) / ((1 + c) * (1 + c))).epsilon(1e-12));
      const double up = (1 + c) * std::sqrt(kappa), down = 1 - c;
      CHECK(beta == Approx((up - down) / (up + down)).epsilon(1e-10));  // 1 - e loses digits where q^K is near 1
    }
}

TEST_CASE("Degree 0 is the Laplacian itself and a complete graph takes one exchange whatever the degree") {
  const Matrix ring = laplacian_of(8, test::ring_edges(8)), complete = laplacian_of(5, test::complete_edges(5));
  const LaplacianPolynomial plain(0, spectrum_of(ring));
  CHECK((plain.is_plain() && plain.exchanges() == 1));
  CHECK(plain.largest() == Approx(4));
  CHECK(plain.least() == Approx(2 - std::sqrt(2.0)));
  for (const Index K : {1, 4}) {
    const LaplacianPolynomial P(K, spectrum_of(complete));
    CHECK(P.exchanges() == 1);
    CHECK((P.largest() == 1 && P.least() == 1));
    CHECK((recursive(P, complete) - complete / 5).norm() < 1e-14);
  }
  CHECK(LaplacianPolynomial::usual_degree(spectrum_of(complete)) == 1);
}

TEST_CASE("Degrees whose coefficients are not finite are refused and so are graphs that are not connected") {
  // cosh(K arccosh(5/3)) is finite for K log 3 < 710.
  CHECK(LaplacianPolynomial(640, {4, 1}).exchanges() == 640);
  CHECK_THROWS_WITH(LaplacianPolynomial(650, {4, 1}),
                    "K: expected a degree whose polynomial has finite coefficients; 2 is usual here, found 650");
  CHECK_THROWS_WITH(LaplacianPolynomial(1, {4, 0}), Catch::StartsWith("kind: expected a connected graph, found"));
}

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
