#include "algorithms/peers/bases/chebyshev.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <utility>

#include "algorithms/objectives/sets/sets.hpp"
#include "algorithms/peers/accel_tracking.hpp"
#include "tests/support/decompositions.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"

namespace lagnet::chebyshev_test {

namespace {

using test::PeerBench;

/// W of a ring with Metropolis weights, whose eigenvalues are 1/3 + 2/3 cos(2 pi k / m).
Matrix ring(Index m) {
  Matrix w = Matrix::Zero(m, m);
  for (Index i = 0; i < m; ++i)
    for (const Index k : {i, (i + 1) % m, (i + m - 1) % m}) w(i, k) = 1.0 / 3;
  return w;
}
Chebyshev of_ring(Index m) {
  return Chebyshev(-1.0 / 3, 1.0 / 3 + 2.0 / 3 * std::cos(2 * std::numbers::pi / static_cast<double>(m)));
}

/// P_K(W) by the recursion, as agents do it.
Matrix recursive(const Chebyshev& chebyshev, const Matrix& W, Index K) {
  Matrix x = Matrix::Identity(W.rows(), W.rows()), last = x;
  Chebyshev::Recursion recursion(chebyshev);
  for (Index k = 0; k < K; ++k) {
    const auto [of_mixed, of_last, of_older] = recursion.next();
    Matrix next = of_mixed * (W * x) + of_last * x + of_older * last;
    last = std::exchange(x, std::move(next));
  }
  return x;
}

double T(Index K, double x) {  // the Chebyshev polynomial of degree K
  if (std::abs(x) <= 1) return std::cos(static_cast<double>(K) * std::acos(x));
  const double outside = std::cosh(static_cast<double>(K) * std::acosh(std::abs(x)));
  return x < 0 && K % 2 == 1 ? -outside : outside;
}

/// P_K(W) from the eigenvalues of W: T_K((2 w - a - b) / (b - a)) / T_K(c).
Matrix spectral(const Matrix& W, Index K, double a, double b) {
  auto [values, vectors] = symmetric_eigen(W);
  for (double& w : values) w = T(K, (2 * w - a - b) / (b - a)) / T(K, (2 - a - b) / (b - a));
  return vectors * values.asDiagonal() * vectors.transpose();
}

}  // namespace

TEST_CASE("the recursion is the scaled Chebyshev polynomial of W and keeps its factor and the mean") {
  const Index m = 16;
  const Matrix W = ring(m), mean = Matrix::Constant(m, m, 1 / static_cast<double>(m));
  const double b = 1.0 / 3 + 2.0 / 3 * std::cos(2 * std::numbers::pi / 16);
  for (const Index K : {1, 2, 3, 10, 37}) {
    const Matrix P = recursive(of_ring(m), W, K);
    CHECK((P - spectral(W, K, -1.0 / 3, b)).norm() < 1e-12);  // a hundred roundings of numbers of the size of 1
    CHECK((P * mean - mean).norm() < 1e-13);
    const double left = testing::eigenvalues(P - mean).cwiseAbs().maxCoeff();
    CHECK(left <= of_ring(m).factor(K) + 1e-13);
    CHECK(left >= 0.99 * of_ring(m).factor(K) - 1e-13);  // attained at the ends of the spectrum
  }
}

TEST_CASE("rings take the rounds of the sheet where plain gossip takes the square of them") {
  CHECK(of_ring(16).rounds_for(1e-6) == 37);
  CHECK(of_ring(32).rounds_for(1e-6) == 74);
  CHECK(of_ring(64).rounds_for(1e-6) == 148);
  for (const Index m : {16, 32, 64}) {
    const Index K = of_ring(m).rounds_for(1e-6);
    CHECK(of_ring(m).factor(K) <= 1e-6);
    CHECK(of_ring(m).factor(K - 1) > 1e-6);
  }
}

TEST_CASE("where W has one eigenvalue below 1 a single round ends at the mean and more keep it") {
  Matrix W = Matrix::Constant(5, 5, 0.1);
  W.diagonal().setConstant(0.6);  // eigenvalues 1 and 0.5
  const Chebyshev exact(0.5, 0.5 + 1e-16);
  CHECK(exact.rounds_for(1e-9) == 1);
  CHECK(exact.factor(1) == 0);
  for (const Index K : {1, 3}) CHECK((recursive(exact, W, K) - Matrix::Constant(5, 5, 0.2)).norm() < 1e-14);
}

TEST_CASE("on a complete graph mixing takes one accelerated round whatever was asked for") {
  const PeerBench bench{
      .problem = test::normal_regression(24, 10), .sizes = {8, 6, 6, 4}, .edges = test::complete_edges(4), .rounds = 3};
  const NetworkFacts network = bench.assignment().network;
  for (const MixingOptions& options : {MixingOptions{.rounds = 7, .acceleration = GossipAcceleration::chebyshev},
                                       MixingOptions{.target = 1e-9, .acceleration = GossipAcceleration::chebyshev}}) {
    const Mixing mixing(options, network);
    CHECK(mixing.rounds() == 1);
    CHECK(mixing.rho() == 0);
  }
  CHECK(Mixing(MixingOptions{.rounds = 7}, network).rounds() == 7);
}

TEST_CASE("a method mixes with the polynomial at three and five numbers more a round and the same bytes") {
  PeerBench bench{.problem = test::normal_regression(24, 10),
                  .sizes = {8, 6, 6, 4},
                  .edges = {{0, 1}, {1, 2}, {2, 3}},
                  .rounds = 3};
  bench.problem.constraint = make_constraint(L1BallOptions{.radius = 1.5}, bench.problem.shape);
  const CurvatureOptions constants{.mu = 0.5, .L = 6};
  const Index K = 3, d = 10;
  const auto method = [&](GossipAcceleration acceleration) {
    return AccelTracking({{.steps = {.curvature = constants}, .mixing = {.rounds = K, .acceleration = acceleration}}},
                         bench.assignment());
  };
  const AccelTracking plain = method(GossipAcceleration::none), fast = method(GossipAcceleration::chebyshev);
  const test::PeerResult of_plain = simulate(bench, plain), of_fast = simulate(bench, fast);

  const double alpha = fast.constants().at(0).second, beta = fast.constants().at(1).second;
  const Matrix P =
      spectral(bench.W(), K, bench.assignment().network.gossip_lowest, bench.assignment().network.gossip_second);
  for (AgentId i = 0; i < 4; ++i) {
    Vector y = Vector::Zero(d);
    for (AgentId k = 0; k < 4; ++k) y += P(i, k) * fast.gradient(k, Vector(Vector::Zero(d)));
    const Vector v = bench.problem.constraint->project(-y / (alpha * beta));
    CHECK((of_fast.theta(1, i) - beta * v).norm() <= 1e-13);  // dozens of roundings of numbers of the size of 1
    CHECK(of_fast.ledger.agent(i).bytes_sent == of_plain.ledger.agent(i).bytes_sent);
    // Two mixings in each of 3 rounds: K times 3 d and K - 1 times 2 d more.
    CHECK(of_fast.ledger.agent(i).flops - of_plain.ledger.agent(i).flops == 3 * 2 * (K * 3 * d + (K - 1) * 2 * d));
  }
  const test::PeerResult sizes = simulate(bench, fast, true);
  CHECK(sizes.ledger.total().flops == of_fast.ledger.total().flops);
  CHECK(sizes.ledger.total().bytes_sent == of_fast.ledger.total().bytes_sent);
}

TEST_CASE("acceleration is refused where messages may be missing or the topology changes") {
  const PeerBench bench{.problem = test::normal_regression(24, 10),
                        .sizes = {8, 6, 6, 4},
                        .edges = {{0, 1}, {1, 2}, {2, 3}},
                        .rounds = 3};
  const auto refused = [&](const MethodInput& given) {
    CHECK_THROWS_WITH(
        AccelTracking(
            {{.steps = {.curvature = {.mu = 0.5, .L = 6}}, .mixing = {.acceleration = GossipAcceleration::chebyshev}}},
            given),
        "acceleration: expected none, since messages may be missing or the topology changes, found chebyshev");
  };
  MethodInput given = bench.assignment();
  given.may_miss_rounds = true;
  refused(given);
  given.may_miss_rounds = false;
  given.network.changes = true;
  refused(given);
}

}  // namespace lagnet::chebyshev_test
