#include "algorithms/peers/nids.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "algorithms/peers/gradient_tracking.hpp"
#include "algorithms/peers/k_gt.hpp"
#include "algorithms/peers/led.hpp"
#include "algorithms/peers/lt_admm.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::nids_test {

using namespace lagnet::test;

TEST_CASE("the first iterate of NIDS is that computed by hand") {
  check_iterates(simulate<Nids>(two_agents(1), NidsOptions{{.step = 0.1}}), {{0.4125, 0.6075}});
}

TEST_CASE("NIDS reaches the central optimum") {
  // Linear convergence to rounding, which the condition number (below 10) and the mixing magnify.
  CHECK(distance_to_optimum<Nids>(ring_bench(1500), NidsOptions{{.step = 0.5}}) < 1e-12);
}

TEST_CASE("NIDS solves composite problems and sets exactly") {
  for (const PeerBench& bench : composite_benches(3000))
    CHECK(distance_to_optimum<Nids>(bench, NidsOptions{{.step = 0.3}}) < 1e-9);
}

TEST_CASE("a round of NIDS costs a gradient, a mixing and nine flops an entry") {
  const PeerBench bench = ring_bench(5);
  check_round_costs(bench, Nids({{.step = 0.1, .mixing = {.rounds = 2}}}, bench.assignment()), 9, 1);
}

TEST_CASE("theory's step of Nids converges for agents whose curvatures differ") {
  PeerBench bench = ring_bench(4000);
  bench.lazy = false;
  bench.problem.X = std::make_shared<const DataMatrix>(uneven_rows(bench.problem.X->dense()));
  CHECK(distance_to_optimum<Nids>(bench, NidsOptions{}) < 1e-10);
}

TEST_CASE("NIDS with momentum reaches the optimum") {
  NidsOptions options{{.step = 0.2}};
  options.direction.momentum = 0.5;
  CHECK(distance_to_optimum<Nids>(ring_bench(2500), options) < 1e-12);
}

TEST_CASE("NIDS without a prox is exact diffusion from the first step that each agent takes alone") {
  const PeerBench bench = ring_bench(80);
  const double alpha = 0.3;
  const Nids method(NidsOptions{{.step = alpha}}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const Matrix Wl = (Matrix::Identity(5, 5) + bench.W()) / 2;
  Matrix x = -alpha * gradients(method, Matrix::Zero(bench.agents(), bench.problem.dim())), psi = x;
  for (std::size_t t = 1; t <= 80; ++t) {
    const Matrix before = psi;
    psi = x - alpha * gradients(method, x);
    x = Wl * (psi + x - before);
    CHECK(distance(result, t, x) < 1e-13);  // roundings of numbers of order 1, over 80 rounds
  }
}

TEST_CASE("NIDS of minibatches evaluates each gradient once") {
  const PeerBench bench = ring_bench(10);
  NidsOptions options{{.step = 0.2}};
  options.direction.batch = 6;
  const Nids method(options, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const auto gradients_of = [&](const Matrix& x, Round t) {
    Matrix all(x.rows(), x.cols());
    for (AgentId i = 0; i < bench.agents(); ++i) {
      const Minibatches batch(20, 6, 1, Draws(1, Purpose{"minibatch"}, i, t));
      all.row(i) = method.gradient(i, Vector(x.row(i)), batch.of_step(0)).transpose();
    }
    return all;
  };
  const Matrix Wl = (Matrix::Identity(5, 5) + bench.W()) / 2;
  Matrix before = Matrix::Zero(bench.agents(), bench.problem.dim()), g = gradients_of(before, 0), z = -0.2 * g, x = z;
  for (Round t = 1; t <= 10; ++t) {
    const Matrix h = gradients_of(x, t);
    z += Wl * (2 * x - before - 0.2 * (h - g)) - x;
    before = x;
    x = z;
    g = h;
    CHECK(distance(result, static_cast<std::size_t>(t), x) < 1e-13);
  }
}

TEST_CASE("methods that are exact with all samples say that batches of fewer are not") {
  const PeerBench ring = ring_bench(1);
  const MethodInput given = ring.assignment();
  const auto code = [](const PeerAlgorithm& method) {
    const Remarks all = method.warnings();
    return all.empty() ? std::string() : all.front().code;
  };
  NidsOptions nids{{.step = 0.1}};
  GradientTrackingOptions tracking{{.step = 0.1}};
  KGtOptions k_gt{{.step = 0.1}};
  LedOptions led{{.step = 0.1}};
  LtAdmmOptions lt_admm{.step = 0.1};
  CHECK(code(Nids(nids, given)).empty());
  const Index most = *std::ranges::max_element(ring.sizes);
  for (const Index size : {Index{1}, most}) {
    nids.direction.batch = tracking.direction.batch = k_gt.local.batch = led.local.batch = lt_admm.local.batch = size;
    const std::string expected = size < most ? "batch_not_exact" : "";
    CHECK(code(Nids(nids, given)) == expected);
    CHECK(code(GradientTracking(tracking, given)) == expected);
    CHECK(code(KGt(k_gt, given)) == expected);
    CHECK(code(Led(led, given)) == expected);
    CHECK(code(LtAdmm(lt_admm, given)) == expected);
  }
}

}  // namespace lagnet::nids_test
