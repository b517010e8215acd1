#include "algorithms/peers/fd_primal_dual.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/peers/peer_bench.hpp"

/// What fd_primal_dual bills, held against the operations that the paper's lines do. Its own body has these in fused
/// loops, which do not count.
namespace lagnet::fd_primal_dual_costs_test {

using namespace lagnet::test;

namespace {

constexpr Index d_j = 3, n = 11, agents = 5;
constexpr Round rounds = 6;

/// The paper's lines, as far as section IV counts them: without the labels' prox and without the average.
Task<> plain(Agent& me, const Problem& problem, PrimalDualSteps steps) {
  const auto [sigma, tau] = steps;
  const double N = static_cast<double>(n), deg = static_cast<double>(me.degree());
  const Matrix X = problem.X->dense().middleCols(me.id() * d_j, d_j);
  StateVector theta = me.vector(d_j), x = theta, theta_next = theta;            // (d_j)
  StateVector v = me.vector(n), lambda = v, g = v, w = v, others = v, X_e = v;  // (n)
  for (Round t = 1; t <= rounds; ++t) {
    x = X.transpose() * lambda;
    theta_next = theta - tau / N * x;
    theta_next = problem.regularizer->prox(theta_next, tau);  // (9)
    others = co_await me.neighbor_sum(lambda);
    g = tau / N * (deg * lambda - others);
    v -= g;  // (10)
    w = v - g;
    x = 2 * theta_next - theta;
    X_e = X * x;
    others = co_await me.neighbor_sum(w);
    lambda += sigma / N * (X_e + (deg * w - others));  // (11), (13)
    theta = theta_next;
  }
}

}  // namespace

TEST_CASE("the flops that fd_primal_dual bills are those of the paper's lines, an extrapolation at one an entry") {
  PeerBench bench{.problem = normal_regression(n, agents * d_j), .rounds = rounds};
  bench.sizes.assign(agents, n);
  for (const bool ring : {true, false}) {
    bench.edges = ring ? ring_edges(agents) : complete_edges(agents);
    MethodInput given{.problem = bench.problem, .rounds = rounds};
    for (Index j = 0; j <= agents; ++j) given.feature_starts.push_back(j * d_j);
    given.network.agents = agents;
    const FdPrimalDual method({{.sigma = 0.5, .tau = 0.5, .chi = 1, .D = 1, .delta = 1}}, given);
    const Flops billed = simulate(bench, method).ledger.total().flops;

    Simulation world = bench.world();
    for (AgentId j = 0; j < agents; ++j) world.spawn(j, plain(world.agent(j), bench.problem, method.steps()));
    counting::flops = 0;
    world.run();
    const Index degree = ring ? 2 : agents - 1;
    const Flops products = (2 * n - 1) * d_j + (2 * d_j - 1) * n, prox = 3 * d_j, sums = 2 * (degree - 1) * n;
    const Flops second_of_extrapolation = d_j;
    CHECK(counting::flops > 0);
    CHECK(billed == counting::flops + agents * rounds * (products + prox + sums - second_of_extrapolation));
    CHECK(billed == agents * rounds * (n * (4 * d_j + 2 * degree + 7) + 5 * d_j));
  }
}

}  // namespace lagnet::fd_primal_dual_costs_test
