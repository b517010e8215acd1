#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/local/dual_gradient.hpp"
#include "algorithms/local/local_fits.hpp"
#include "tests/unit/algorithms/asynchronous/answers_in_order.hpp"
#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"

/// What asynchronous methods bill for their vectors, held against the operations that their bodies do, as federated.cpp
/// does for rounds. Computations that are under way at the end have been billed and done.
namespace lagnet::asynchronous_costs_counted_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 4, n = 20, clients = 3, E = 3;
constexpr Round updates = 9;

struct Case {
  std::string name;
  std::unique_ptr<Algorithm> method;
  Index gradients = 1;     // of a client's computation
  Index subgradients = 0;  // the same; the addition of one is counted
  Index proxes = 0;        // the same; of l1, 3 d
  bool server_has_prox = false;
  Flops unbilled = 0;  // in a run: done and not billed
  Flops solve = 0;     // of a client's computation: billed for least squares in closed form
  Flops factors = 0;   // before the first one
};

std::vector<Case> methods(const Bench& bench) {
  const AveragingOptions steps{.local_steps = E, .client_step = 0.05, .server_step = 0.5};
  std::vector<Case> all;
  const auto add = [&](std::string name, const auto& options, const Case& rest) {
    all.push_back({std::move(name), make_algorithm(options, bench.assignment()), rest.gradients, rest.subgradients,
                   rest.proxes, rest.server_has_prox, rest.unbilled, rest.solve, rest.factors});
  };
  add("fed_async", FedAsyncOptions{.local_steps = E, .client_step = 0.05}, {.gradients = E, .subgradients = E});
  add("fed_async, proximal", FedAsyncOptions{.local_steps = E, .client_step = 0.05, .proximal = 0.3},
      {.gradients = E, .subgradients = E});
  FedBuffOptions buffered{steps};
  buffered.buffer = 2;
  add("fed_buff", buffered, {.gradients = E, .subgradients = E});
  add("fed_compass", FedCompassOptions{.min_local_steps = E, .max_local_steps = E, .client_step = 0.05},
      {.gradients = E, .subgradients = E});
  add("async_gradient", AsyncGradientOptions{.step = 0.1}, {.server_has_prox = true});
  add("piag", PiagOptions{.rule = DelayRule::fixed, .step = 0.1}, {.server_has_prox = true});
  add("dave_pg", DavePgOptions{.step = 0.1, .repetitions = 2}, {.gradients = 2, .proxes = 2});
  add("dave_pg, whole", DavePgOptions{.step = 0.1, .send = DaveMessages::whole}, {.proxes = 1});
  // As with consensus_admm, in a client's first step there is no multiplier to change (2 d), and its first answer
  // replaces none (d), but both are billed.
  const DataMatrix A_k = bench.problem.X->row_range(0, n);
  add("async_admm", AsyncAdmmOptions{.penalty = 0.3, .least = 2},
      {.gradients = 0,
       .server_has_prox = true,
       .unbilled = -clients * (2 + 1) * d,
       .solve = RidgeSystem::solve_work(A_k).flops,
       .factors = clients * (RidgeSystem::factor_work(A_k).flops + 2 * n * d)});
  return all;
}

}  // namespace

TEST_CASE("the flops that asynchronous servers and clients bill for their vectors are those that their bodies do") {
  const Bench bench =
      free_computation(lasso(clients * n, d, 0.01), std::vector<Index>(clients, n), updates, three_latencies);
  const Flops gradient = 4 * n * d + n + d, subgradient = bench.problem.regularizer->subgradient_flops(d) - d;
  for (const Case& one : methods(bench)) {
    CAPTURE(one.name);
    counting::flops = 0;
    const Result result = simulate(bench, *one.method);
    const Flops counted = counting::flops;
    Index computations = 0;  // of clients
    for (const SimEvent& what : result.log.all)
      if (what.what == EventKind::computed && what.agent != 0) ++computations;
    if (one.factors > 0) computations -= clients;
    const Flops beside =
        computations * (one.gradients * gradient + one.subgradients * subgradient + one.proxes * 3 * d + one.solve) +
        (one.server_has_prox ? updates * 3 * d : 0) + one.factors;
    CHECK(counted > 0);
    CHECK(result.ledger.total().flops - beside == counted - one.unbilled);
  }
}

namespace {

/// What the lines of a worker's step take, but for both products with A_j and the prox: the loss's derivative and the
/// step itself.
Flops step_of_block(Index d_j) {
  const StateVector z = StateVector::zeros(n), y = z, theta = StateVector::zeros(d_j), x = theta;
  StateVector slope = z, stepped = theta;
  const Flops before = counting::flops;
  slope = z - y;
  stepped = theta - 0.1 * x;
  return counting::flops - before;
}

}  // namespace

TEST_CASE("the flops that asynchronous coordinate blocks bill are those of the paper's lines") {
  const std::vector<Index> widths{1, 3, 2};
  const Problem problem = lasso(n, 6, 0.01);
  MethodInput given{.problem = problem, .feature_starts = {0, 0, 1, 4, 6}, .rounds = updates};
  given.network.agents = 4;
  const auto method = make_algorithm(AsyncBlocksOptions{.step = 0.1}, given);
  Simulation world(Network(4, star(three_latencies)), ComputeModel(std::vector<double>(4, infinite)), {});
  Ledger ledger(4, world.network().links());
  Log log;
  world.listen(ledger);
  world.listen(log);
  method->spawn(world);
  counting::flops = 0;
  world.run();
  // The server adds up what the blocks give at the start, which is known to it and not billed.
  const Flops of_server = counting::flops - clients * n;
  CHECK(of_server == updates * 2 * n);
  Flops of_workers = 0;
  for (const SimEvent& what : log.all) {
    if (what.what != EventKind::computed || what.agent == 0) continue;
    const Index d_j = widths[what.agent - 1];
    // A dot product of n entries takes 2 n - 1; what is added to A_j theta_j, which begins at 0, 2 an entry of A_j.
    of_workers += step_of_block(d_j) + (2 * n - 1) * d_j + 2 * n * d_j + problem.regularizer->prox_flops(d_j);
  }
  CHECK(of_workers > 0);
  CHECK(ledger.total().flops == of_server + of_workers);
}

TEST_CASE("the flops that Walkman bills for its vectors are those that its body does") {
  MomentsBench bench{.peers = {.problem = normal_regression(clients * n, d),
                               .sizes = std::vector<Index>(clients, n),
                               .edges = ring_edges(clients)},
                     .end_ms = 2 * updates - 0.5,
                     .update_ms = std::vector<double>(clients, 1)};
  const DataMatrix X = bench.peers.problem.X->row_range(0, n);
  const DualGradient own({.X = X, .y = VectorView(nullptr, 0), .loss = *bench.peers.problem.loss});
  for (const VisitStep local : {VisitStep::gradient, VisitStep::exact}) {
    const auto method = make_algorithm(WalkmanOptions{.beta = 8, .local = local}, bench.assignment());
    counting::flops = 0;
    const MomentsResult result = simulate(bench, *method);
    const Flops counted = counting::flops;
    const Flops beside = local == VisitStep::exact
                             ? updates * own.solve_work().flops + clients * own.factor_work().flops
                             : updates * 4 * n * d;
    CHECK(counted > 0);
    CHECK(result.ledger.total().flops - beside == counted);
  }
}

}  // namespace lagnet::asynchronous_costs_counted_test
