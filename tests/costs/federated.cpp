#include <catch2/catch.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/local/local_fits.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/federated/tree_bench.hpp"

/// What federated methods bill for their vectors, held against the operations that their bodies do, as peers.cpp does
/// for methods of peers. Beside them a round is billed gradients, subgradients and proxes. What the sheet of a method
/// leaves out stands in the table.
namespace lagnet::federated_costs_counted_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 4, n = 20, clients = 3, rounds = 5, E = 3;

/// How often it is done in a round: by each client, and by the server.
struct Often {
  Index client = 0, server = 0;
  Index in_run() const { return rounds * (clients * client + server); }
};

struct Case {
  std::string name;
  std::unique_ptr<Algorithm> method;
  Index gradients = E;             // of a client in a round
  Index subgradients = 0;          // the same; the addition of one is counted
  Often proxes = {}, checks = {};  // of l1, 3 d; of a ball that does not bind, 2 d
  Index has_w = 0;                 // rounds in which a client has w; in others it finds it by a prox of those above
  Flops unbilled = 0;              // in a run: done and not billed
  Flops solves = 0;  // in a run: billed beside all these: for solutions in closed form, more gradients, compressions
};

Case case_of(const Bench& bench, std::string name, const auto& options, const Case& rest) {
  return {std::move(name), make_algorithm(options, bench.assignment()),
          rest.gradients,  rest.subgradients,
          rest.proxes,     rest.checks,
          rest.has_w,      rest.unbilled,
          rest.solves};
}

/// Those whose clients may take different numbers of steps.
std::vector<Case> methods_with_any_steps(const Bench& bench) {
  const ClientStepsOptions any_steps{.local_steps = E, .client_step = 0.05, .server_step = 0.5};
  std::vector<Case> all;
  const auto add = [&](std::string name, const auto& options, const Case& rest) {
    all.push_back(case_of(bench, std::move(name), options, rest));
  };
  add("fed_avg", FedAvgOptions{any_steps}, {.subgradients = E});
  add("fed_prox", FedProxOptions{any_steps, 0.3}, {.subgradients = E});
  for (const ServerOptimizerOptions& optimizer :
       {ServerOptimizerOptions(ServerSgdOptions{.momentum = 0.5}), ServerOptimizerOptions(ServerAdagradOptions()),
        ServerOptimizerOptions(ServerAdamOptions()), ServerOptimizerOptions(ServerYogiOptions())})
    add("fed_avg, " + std::string(optimizer.kind()), FedAvgOptions{any_steps, {optimizer}}, {.subgradients = E});
  add("fed_nova", FedNovaOptions{any_steps}, {.subgradients = E});
  add("fed_nova, momentum", FedNovaOptions{any_steps, 0.5, 0.2}, {.subgradients = E});
  add("fed_at", FedAtOptions{any_steps, 1, 1, {{1, 2, 3}}, 0.3}, {.subgradients = E});
  add("scaffold, option II", ScaffoldOptions{any_steps}, {.subgradients = E});
  add("scaffold, option I", ScaffoldOptions{any_steps, ControlVariate::fresh_gradient},
      {.gradients = E + 1, .subgradients = E});
  return all;
}

std::vector<Case> methods(const Bench& bench) {
  const AveragingOptions steps{.local_steps = E, .client_step = 0.05, .server_step = 0.5};
  const DualAveragingOptions dual{.mu = 0.1, .gamma = 20}, lean{.mu = 0.1, .gamma = 20, .messages = Messages::lean};
  // The servers of dual averaging find z (2 d) and what the prox is taken of (3 d), and add to s (2 d), which starts
  // from w_0: the sheet counts their means and proxes alone. Lean messages leave s at 0, in fast_fed_da without z.
  const Flops server = rounds * (2 + 3 + 2) * d;
  std::vector<Case> all = methods_with_any_steps(bench);
  const auto add = [&](std::string name, const auto& options, const Case& rest) {
    all.push_back(case_of(bench, std::move(name), options, rest));
  };
  add("fed_mid", FedMidOptions{steps}, {.proxes = {E, 1}});
  add("fed_dual_avg", FedDualAvgOptions{steps}, {.proxes = {E, 1}});
  add("distributed_proximal_gradient", DistributedProximalGradientOptions{{.step = 0.1}},
      {.gradients = 1, .proxes = {0, 1}});
  add("distributed_fista", DistributedFistaOptions{{.step = 0.1}}, {.gradients = 1, .proxes = {0, 1}});
  add("fast_fed_da", FastFedDaOptions{dual, E}, {.proxes = {E - 1, 1}, .unbilled = server + d});
  add("c_fed_da", CFedDaOptions{{dual}, E}, {.proxes = {E - 1, 1}, .checks = {E - 1, 1}, .unbilled = server + 2 * d});
  add("fast_fed_da, lean", FastFedDaOptions{lean, E}, {.proxes = {E, 1}, .has_w = 1, .unbilled = rounds * 3 * d});
  const Flops zero_s = rounds * clients * (E - 1) * 2 * d;  // taken from g in local steps, and not billed
  add("c_fed_da, lean", CFedDaOptions{{lean}, E},
      {.proxes = {E, 1}, .checks = {E, 1}, .has_w = 1, .unbilled = rounds * (2 + 3) * d + zero_s});
  // Two stages, each of which starts with w_0 in s, and with clients that have it.
  const std::vector<McFedDaStageOptions> stages{{.lambda = 0.02, .rounds = 2, .local_steps = E},
                                                {.lambda = 0.01, .rounds = 3, .local_steps = E}};
  add("mc_fed_da", McFedDaOptions{{dual}, stages},
      {.proxes = {E - 1, 1}, .checks = {E - 1, 1}, .unbilled = server + 2 * 2 * d});
  add("mc_fed_da, lean", McFedDaOptions{{lean}, stages},
      {.proxes = {E, 1}, .checks = {E, 1}, .has_w = 2, .unbilled = rounds * (2 + 3) * d + zero_s});
  Index local = 0;  // steps of a client in all rounds
  for (Round t = 1; t <= rounds; ++t) {
    Draws throws(1, Purpose{"proxskip"}, server_agent, t);
    do ++local;
    while (throws.uniform() >= 0.3);
  }
  // The steps beyond one in a round take a gradient each, which is billed beside vectors.
  add("prox_skip", ProxSkipOptions{.step = 0.1, .p = 0.3},
      {.gradients = 1, .proxes = {0, 1}, .solves = clients * (local - rounds) * (4 * n * d + n + d)});
  // Of d numbers a compressor keeps nz, which are added to others at nz flops; here all d are, zeros too. Its own flops
  // are not counted.
  const auto of_zeros = [](Index nz, Index of_client) -> Flops {
    return rounds * (2 * clients + clients * of_client) * (d - nz);
  };
  const RandKOptions random{.k = 2};
  const TopKOptions top{.k = 2};
  const auto compressions = [](const CompressorOptions& Q) -> Flops {
    return rounds * clients * make_compressor(Q, d)->flops();
  };
  for (const double momentum : {0.0, 0.3})
    add("diana, momentum " + std::to_string(momentum),
        DianaOptions{.compressor = random, .step = 0.1, .momentum = momentum},
        {.gradients = 1, .proxes = {0, 1}, .unbilled = of_zeros(2, 2), .solves = compressions(random)});
  add("ef21", Ef21Options{.compressor = top, .step = 0.1},
      {.gradients = 1, .proxes = {0, 1}, .unbilled = of_zeros(2, 1), .solves = compressions(top)});
  // In round 1 clients have no multiplier to change (2 d), and the server no older answers to subtract (d), but both
  // are billed.
  const DataMatrix A_k = bench.problem.X->row_range(0, n);
  const Flops solves =
      clients * (RidgeSystem::factor_work(A_k).flops + 2 * n * d + rounds * RidgeSystem::solve_work(A_k).flops);
  for (const double alpha : {1.0, 1.5})
    add("consensus_admm, relaxation " + std::to_string(alpha),
        ConsensusAdmmOptions{.penalty = 0.3, .relaxation = alpha},
        {.gradients = 0, .proxes = {0, 1}, .unbilled = -clients * (2 + 1) * d, .solves = solves});
  return all;
}

}  // namespace

TEST_CASE("the flops that servers and clients bill for their vectors are those that their bodies do") {
  const Bench bench{.problem = lasso(clients * n, d, 0.01), .sizes = std::vector<Index>(clients, n), .rounds = rounds};
  const Flops gradient = 4 * n * d + n + d, subgradient = bench.problem.regularizer->subgradient_flops(d) - d;
  for (const Case& one : methods(bench)) {
    CAPTURE(one.name);
    counting::flops = 0;
    const Result result = simulate(bench, *one.method);
    const Flops counted = counting::flops;
    const Index not_found = one.has_w * clients;
    const Flops beside = rounds * clients * (one.gradients * gradient + one.subgradients * subgradient) +
                         (one.proxes.in_run() - not_found) * 3 * d +
                         (one.checks.in_run() > 0 ? one.checks.in_run() - not_found : 0) * 2 * d + one.solves;
    CHECK(counted > 0);
    CHECK(result.ledger.total().flops - beside == counted - one.unbilled);
  }
}

TEST_CASE("EF-SGD bills gradients, compressions and vector additions, and adds zeros for free") {
  const Bench bench{
      .problem = random_problem(clients * n, d, 0, 0.1), .sizes = std::vector<Index>(clients, n), .rounds = rounds};
  const TopKOptions top{.k = 2};
  const Index nz = 2, c_Q = make_compressor(top, d)->flops();
  for (const bool down : {false, true}) {
    const auto method =
        make_algorithm(EfSgdOptions{.compressor = top, .step = 0.1, .compress_down = down}, bench.assignment());
    counting::flops = 0;
    const Flops billed = simulate(bench, *method).ledger.total().flops, counted = counting::flops;
    const Flops gradients = rounds * clients * (4 * n * d + n + d + 2 * d);
    const Flops compressions = rounds * (clients + (down ? 1 : 0)) * c_Q;
    const Flops zeros = rounds * (2 * clients + (down ? 1 + clients : 0)) * (d - nz);
    CHECK(counted > 0);
    CHECK(billed - gradients - compressions == counted - zeros);
  }
}

TEST_CASE("fed_dyn bills gradients, and what its clients and its server do beside them") {
  const Bench bench{
      .problem = random_problem(clients * n, d, 0, 0.1), .sizes = std::vector<Index>(clients, n), .rounds = rounds};
  FedDynOptions options;
  options.alpha = 0.3;
  for (const DynMinimizer how : {DynMinimizer::steps, DynMinimizer::exact}) {
    options.local_minimizer = how;
    if (how == DynMinimizer::steps) options.local_steps = E;
    if (how != DynMinimizer::steps) options.local_steps.reset();
    const auto method = make_algorithm(options, bench.assignment());
    counting::flops = 0;
    const Flops billed = simulate(bench, *method).ledger.total().flops, counted = counting::flops;
    CHECK(counted > 0);
    if (how == DynMinimizer::steps) {
      CHECK(billed - rounds * clients * E * (4 * n * d + n + d + d) == counted);
    } else {
      const DataMatrix A_k = bench.problem.X->row_range(0, n);
      const Flops solves =
          clients * (RidgeSystem::factor_work(A_k).flops + 2 * n * d + rounds * RidgeSystem::solve_work(A_k).flops);
      // What the exact step is solved for is no vector of a state (4 d), and the sheet bills d more than is done.
      CHECK(billed - solves - rounds * clients * (4 + 1) * d == counted);
    }
  }
}

TEST_CASE("methods of smooth problems bill gradients, compressions and vector additions, and add zeros for free") {
  const Bench bench{
      .problem = random_problem(clients * n, d, 0, 0.1), .sizes = std::vector<Index>(clients, n), .rounds = rounds};
  const RandKOptions random{.k = 2};
  const TopKOptions top{.k = 2};
  const Index nz = 2, c_random = make_compressor(random, d)->flops(), c_top = make_compressor(top, d)->flops();
  const Flops gradient = 4 * n * d + n + d + 2 * d;
  const auto check = [&](const auto& options, Flops gradients, Flops compressions, Flops zeros) {
    CAPTURE(std::string(options.kind));
    const auto method = make_algorithm(options, bench.assignment());
    counting::flops = 0;
    const Flops billed = simulate(bench, *method).ledger.total().flops, counted = counting::flops;
    CHECK(counted > 0);
    CHECK(billed - gradients * gradient - compressions == counted - zeros);
  };
  const auto compressed = rounds - 1;  // rounds, all but the first
  check(DashaOptions{.compressor = random, .step = 0.1}, rounds * clients, compressed * clients * c_random,
        compressed * (2 * clients + clients) * (d - nz));
  check(DashaPpOptions{.compressor = random, .step = 0.1}, (1 + 2 * compressed) * clients,
        compressed * clients * c_random, compressed * (2 * clients + clients) * (d - nz));
  check(Ef21BcOptions{.compressor = top, .step = 0.1}, rounds * clients, rounds * (clients + 1) * c_top,
        rounds * (2 * clients + clients + 1) * (d - nz) + compressed * clients * (d - nz));
  Index full = 1, local = 0;
  for (Round t = 1; t <= rounds; ++t) {
    if (t > 1 && Draws(1, Purpose{"marina"}, server_agent, t).uniform() < 0.5) ++full;
    Draws throws(1, Purpose{"proxskip"}, server_agent, t);
    do ++local;
    while (throws.uniform() >= 0.3);
  }
  check(MarinaOptions{.compressor = random, .step = 0.1, .p = 0.5}, rounds * clients,
        (rounds - full) * clients * c_random, (rounds - full) * 2 * clients * (d - nz));
  check(TamunaOptions{.step = 0.1, .p = 0.3, .s = 2}, local * clients, 0, 0);
  // The factor 1/2 is in the weights of what is added; the server's shifts are of its own kind, d flops a product.
  check(LocodlOptions{.compressor = random, .step = 0.1, .p = 0.3}, local * clients, rounds * clients * c_random,
        rounds * 2 * clients * (d - nz));
}

TEST_CASE("beside the gradients of its inexact steps consensus_admm bills what its bodies do") {
  const Bench bench{.problem = lasso(clients * n, d, 0.01), .sizes = std::vector<Index>(clients, n), .rounds = rounds};
  const ConsensusAdmmOptions options{
      .penalty = 0.3, .relaxation = 1.5, .local_minimizer = LocalMinimizer::gradient, .accuracy = 1e-6};
  const auto method = make_algorithm(options, bench.assignment());
  counting::flops = 0;
  const Flops billed = simulate(bench, *method).ledger.total().flops;
  const Flops counted = counting::flops, first_round = clients * (2 + 1) * d, proxes = rounds * 3 * d;
  const Flops gradients = billed - counted - first_round - proxes, each = 4 * n * d + n + d + 11 * d;
  CHECK(counted > 0);
  CHECK(gradients >= rounds * clients * each);
  CHECK(gradients % each == 0);
}

TEST_CASE("hier_avg bills the gradients of clients, and the means of edges and of the cloud") {
  for (const double mu : {0.0, 0.3}) {
    const Tree tree{.problem = lasso(clients * n, d, 0.01),
                    .edges = {2, 1},
                    .sizes = std::vector<Index>(clients, n),
                    .rounds = rounds};
    HierAvgOptions options;
    options.local_steps = E;
    options.client_step = 0.05;
    options.edge_rounds = 2;
    options.mu = mu;
    counting::flops = 0;
    const Flops billed = tree.run(options).ledger.total().flops, counted = counting::flops;
    const Flops gradient = 4 * n * d + n + d, subgradient = tree.problem.regularizer->subgradient_flops(d) - d;
    CHECK(counted > 0);
    CHECK(billed - rounds * 2 * clients * E * (gradient + subgradient) == counted);
  }
}

TEST_CASE("beside gradients, Hessians and solutions the methods of second order bill what their bodies do") {
  const Bench bench{
      .problem = random_problem(clients * n, d, 0, 0.1), .sizes = std::vector<Index>(clients, n), .rounds = rounds};
  const Flops gradient = 4 * n * d + n + d + 2 * d, hessian = n * d * (d + 1) + d, factor = d * d * d / 3,
              solution = 2 * d * d;
  const auto check = [&](const auto& options, Flops of_client, Flops once, Flops of_server, Flops unbilled) {
    CAPTURE(std::string(options.kind));
    const auto method = make_algorithm(options, bench.assignment());
    counting::flops = 0;
    const Flops billed = simulate(bench, *method).ledger.total().flops, counted = counting::flops;
    CHECK(counted > 0);
    CHECK(billed - clients * (once + rounds * of_client) - rounds * of_server == counted - unbilled);
  };
  check(GiantOptions{}, gradient + hessian + factor + solution, 0, 0, 0);
  // A step is subtracted from the model in the solution (d).
  for (const double mu : {0.0, 0.3}) check(DaneOptions{.mu = mu}, gradient + solution + d, hessian + factor, 0, 0);
  for (const auto start : {HessianStart::exact, HessianStart::zero})
    for (const MatrixCompressorOptions& Q :
         {MatrixCompressorOptions(RankROptions{}), MatrixCompressorOptions(TopKOptions{.k = 3})}) {
      const Flops compression = make_compressor(Q, d)->flops();
      FedNlOptions options{.hessian_start = start, .compressor = Q};
      check(options, gradient + hessian + compression, 0, 9 * d * d * d + 4 * d * d, 0);
      // The error's norm is billed; the mean of these numbers, one of each client, is not.
      options.option = 2;
      check(options, gradient + hessian + compression + 2 * d * d, 0, factor + solution + d, rounds * 2 * clients);
    }
}

}  // namespace lagnet::federated_costs_counted_test
