#include "algorithms/peers/led.hpp"

#include <catch2/catch.hpp>

#include "algorithms/peers/nids.hpp"
#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::led_test {

using namespace lagnet::test;

namespace {

/// Of numbers of order 1, which the contraction does not add up.
constexpr double roundings = 1e-13;

}  // namespace

TEST_CASE("LED is its equations written down for all agents at once, and its multipliers add up to 0") {
  for (const bool lazy : {true, false}) {
    const PeerBench bench = uneven_bench(40);  // W is lazy, so that its eigenvalues are not negative
    const double alpha = 0.1, beta = 0.4;
    const Led method({{.step = alpha}, {.local_steps = 3}, beta, lazy}, bench.assignment());
    const PeerResult result = simulate(bench, method);
    const Matrix I = Matrix::Identity(bench.agents(), bench.agents());
    const Matrix Wl = lazy ? Matrix((I + bench.W()) / 2) : bench.W();
    Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim()), y = x;
    for (std::size_t t = 1; t <= 40; ++t) {
      Matrix v = x;
      for (int k = 0; k < 3; ++k) v -= alpha * gradients(method, v) + beta * y;
      x = Wl * v;
      y += v - x;
      CHECK(distance(result, t, x) < roundings);
      CHECK(y.colwise().sum().norm() < roundings);
    }
  }
}

TEST_CASE("LED with one local step is exact diffusion, the recursion of NIDS from another start") {
  const PeerBench bench = ring_bench(60);
  const double alpha = 0.3;
  const Led method({{.step = alpha}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const Matrix Wl = (Matrix::Identity(5, 5) + bench.W()) / 2;
  Matrix x = Matrix::Zero(5, bench.problem.dim()), psi_old = x;
  for (std::size_t t = 1; t <= 60; ++t) {
    const Matrix psi = x - alpha * gradients(method, x);
    x = Wl * (psi + x - psi_old);
    psi_old = psi;
    CHECK(distance(result, t, x) < roundings);
  }
  // NIDS has that recursion from x = -alpha grad f(0), where it has taken a step without neighbors.
  const PeerResult of_nids = simulate<Nids>(bench, NidsOptions{{.step = alpha}});
  x = -alpha * gradients(method, Matrix::Zero(5, bench.problem.dim()));
  psi_old = x;
  for (std::size_t t = 1; t <= 60; ++t) {
    const Matrix psi = x - alpha * gradients(method, x);
    x = Wl * (psi + x - psi_old);
    psi_old = psi;
    CHECK(distance(of_nids, t, x) < roundings);
  }
}

TEST_CASE("LED reaches the central optimum with local steps, of squared and logistic losses") {
  for (const bool logistic : {false, true})
    // Linear convergence to rounding, which the condition number magnifies.
    CHECK(distance_to_optimum<Led>(uneven_bench(3000, 5, logistic), LedOptions{{}, {.local_steps = 4}}) < 1e-11);
}

TEST_CASE("a round of LED costs K gradients, one message to each neighbor, and what is said of flops") {
  const PeerBench bench = uneven_bench(4);
  const Index d = 4, K = 3;
  const Led method({{.step = 0.05}, {.local_steps = K}}, bench.assignment());
  check_timing(bench, method);
  const PeerResult result = simulate(bench, method);
  for (const AgentId i : {AgentId{0}, AgentId{1}}) {  // with l2
    const Index deg = std::ssize(bench.neighbors(i)), n = bench.sizes[i];
    CHECK(in_round_3(result, i).flops == K * (4 * n * d + 2 * d + 3 * d) + (2 * deg + 4) * d);
    CHECK(in_round_3(result, i).bytes_sent == 8 * d * deg);
  }
  CHECK(result.ledger.agent(0).messages_sent == 4 * std::ssize(bench.neighbors(0)));
}

TEST_CASE("LED that is not lazy refuses a W with eigenvalues of -1/3 and below, and warns of negative ones") {
  PeerBench bench = uneven_bench(2);
  bench.lazy = false;
  LedOptions options{{.step = 0.05}};
  options.lazy = false;
  MethodInput given = bench.assignment();
  given.network.gossip_lowest = -0.5;
  CHECK(
      refusal_of(options, given) ==
      "lazy: expected true, or a gossip matrix whose eigenvalues are above -1/3, found false, and the eigenvalue -0.5");
  given.network.gossip_lowest = -0.2;
  CHECK(Led(options, given).warnings().size() == 1);
  given.network.changes = true;
  CHECK(refusal_of(options, given).starts_with("lazy: expected true, since the topology changes"));
  options.lazy = true;
  CHECK(Led(options, given).warnings().empty());
  CHECK(constant_of(Led({{}, {.local_steps = 4}}, bench.assignment()), "beta") == 0.25);
}

}  // namespace lagnet::led_test
