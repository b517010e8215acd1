#include "algorithms/peers/lt_admm.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"
#include "tests/unit/algorithms/peers/peer_bench.hpp"
#include "tests/unit/algorithms/peers/stacked.hpp"

namespace lagnet::lt_admm_test {

using namespace lagnet::test;

TEST_CASE("LT-ADMM is its equations written down for all edges") {
  const PeerBench bench = uneven_bench(40);
  const double alpha = 0.1, rho = 0.8, beta = 0.05;
  const LtAdmm method({.step = alpha, .local = {.local_steps = 3}, .rho = rho, .beta = beta}, bench.assignment());
  const PeerResult result = simulate(bench, method);
  const Vector zero = Vector::Zero(bench.problem.dim());
  std::map<std::pair<AgentId, AgentId>, Vector> z;
  for (AgentId i = 0; i < bench.agents(); ++i)
    for (const AgentId j : bench.neighbors(i)) z[{i, j}] = zero;
  Matrix x = Matrix::Zero(bench.agents(), bench.problem.dim());
  for (std::size_t t = 1; t <= 40; ++t) {
    for (AgentId i = 0; i < bench.agents(); ++i) {
      Vector x_i = x.row(i).transpose(), r = rho * static_cast<double>(bench.neighbors(i).size()) * x_i;
      for (const AgentId j : bench.neighbors(i)) r -= z[{i, j}];
      for (int k = 0; k < 3; ++k) x_i -= alpha * method.gradient(i, x_i) + beta * r;
      x.row(i) = x_i.transpose();
    }
    const auto before = z;
    for (auto& [edge, z_ij] : z)
      z_ij = (z_ij - before.at({edge.second, edge.first}) + 2 * rho * Vector(x.row(edge.second))) / 2;
    CHECK(distance(result, t, x) < 1e-13);  // roundings of numbers of order 1
  }
}

TEST_CASE("LT-ADMM reaches the central optimum with local steps, also while messages are lost") {
  for (const bool logistic : {false, true})
    for (const double lost : {0.0, 0.3}) {
      PeerBench bench = uneven_bench(4000, 5, logistic);
      if (lost > 0) {
        bench.model.faults.push_back(std::make_shared<IndependentLoss>(lost));
        bench.model.missing = {.kind = MissingNeighborKind::skip, .deadline = Duration::milliseconds(3)};
      }
      // Linear convergence to rounding, which the condition number magnifies.
      CHECK(distance_to_optimum<LtAdmm>(bench, LtAdmmOptions{.local = {.local_steps = 3}}) < 1e-11);
    }
}

TEST_CASE("the agreement of LT-ADMM depends on the product of rho and beta alone") {
  const PeerBench bench = ring_bench(30);
  const PeerResult one = simulate<LtAdmm>(bench, LtAdmmOptions{.step = 0.1, .rho = 1, .beta = 0.06});
  const PeerResult other = simulate<LtAdmm>(bench, LtAdmmOptions{.step = 0.1, .rho = 3, .beta = 0.02});
  for (std::size_t t = 0; t <= 30; ++t) CHECK(distance(one, t, reported(other, t)) < 1e-13);
}

TEST_CASE("a round of LT-ADMM costs K gradients, one message to each neighbor, and what is said of flops") {
  const PeerBench bench = uneven_bench(4);
  const Index d = 4, K = 3;
  const LtAdmm method({.step = 0.05, .local = {.local_steps = K}}, bench.assignment());
  check_timing(bench, method);
  const PeerResult result = simulate(bench, method);
  for (const AgentId i : {AgentId{0}, AgentId{1}}) {  // with l2
    const Index deg = std::ssize(bench.neighbors(i)), n = bench.sizes[i];
    CHECK(in_round_3(result, i).flops == K * (4 * n * d + 2 * d + 3 * d) + (4 * deg + 4) * d);
    CHECK(in_round_3(result, i).bytes_sent == 8 * d * deg);
  }
  CHECK(result.ledger.agent(0).messages_sent == 4 * std::ssize(bench.neighbors(0)));
}

TEST_CASE("LT-ADMM has theory's constants, and refuses one agent") {
  const PeerBench bench = uneven_bench(1);  // of at most three neighbors
  const LtAdmm method({.local = {.local_steps = 5}, .rho = 2}, bench.assignment());
  CHECK(constant_of(method, "beta") == Approx(1.0 / (4 * 2 * 5 * 3)));
  const LtAdmm one({}, bench.assignment());
  CHECK(constant_of(method, "step") == Approx(constant_of(one, "step") / 5));
  CHECK(
      refusal_of(LtAdmmOptions{}, alone(bench).assignment()).starts_with("kind: expected an algorithm for one agent"));
}

}  // namespace lagnet::lt_admm_test
