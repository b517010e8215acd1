#include <map>

#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::federated_costs_test {

using namespace lagnet::test;

namespace {

/// The flops and payloads of the sheet's sections 4 and 5, from what a problem's gradient and prox cost.
struct Prices {
  Index d = 0;                                     // dim
  std::function<Flops(Index)> gradient = nullptr;  // c_g of b samples
  Flops prox = 0;                                  // c_prox
  Flops check = 0;                                 // c_cprox - c_prox
  Flops subgradient = 0;
};

/// What a client and the server do in a round, and the numbers in their messages.
struct Costs {
  std::function<Flops(Flops c_g)> client = nullptr;
  std::function<Flops(Index m)> server = nullptr;
  Index down = 1, up = 1;  // in d
};

constexpr Index E = 3, b = 4, rounds = 5, m = 2;

void check_costs(Problem problem, const Prices& prices, const Algorithm& method, Bench bench, const Costs& costs) {
  const Result result = simulate(bench, method);
  std::map<AgentId, Index> asked = times_asked(bench);
  for (AgentId k = 1; k <= 4; ++k) {
    CAPTURE(k);
    CHECK(result.ledger.agent(k).flops == asked[k] * costs.client(prices.gradient(std::min(b, bench.sizes[k - 1]))));
    CHECK(result.ledger.agent(k).bytes_sent == asked[k] * costs.up * prices.d * 8);
  }
  CHECK(result.ledger.agent(0).flops == rounds * costs.server(m));
  CHECK(result.ledger.agent(0).bytes_sent == rounds * m * costs.down * prices.d * 8);
  CHECK(result.ledger.total().messages_sent == rounds * 2 * m);
  CHECK(problem.dim() == prices.d);
}

template <class Options>
Options with_local_steps(Options options = {}) {
  options.local_steps = E;
  options.batch = b;
  if constexpr (requires { options.client_step; }) options.client_step = 0.05;
  if constexpr (requires { options.gamma; }) options.mu = 0.1, options.gamma = 20;
  return options;
}

void check_all(const Problem& problem, const Prices& p) {
  Bench bench{.problem = problem, .sizes = {10, 3, 17, 30}, .rounds = rounds};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, m));
  const Index d = p.d;
  const Flops cprox = p.prox + p.check;
  const auto check = [&](const auto& options, const Costs& costs) {
    CAPTURE(std::string(options.kind));
    check_costs(problem, p, *make_algorithm(options, bench.assignment()), bench, costs);
  };
  check(with_local_steps<FedAvgOptions>(),
        {[&](Flops c_g) { return E * (c_g + 2 * d + p.subgradient) + d; }, [&](Index all) { return 2 * all * d; }});
  check(with_local_steps<ScaffoldOptions>(), {[&](Flops c_g) { return E * (c_g + 4 * d + p.subgradient) + 5 * d; },
                                              [&](Index all) { return 4 * all * d; }, 2, 2});
  check(with_local_steps(ScaffoldOptions{{}, ControlVariate::fresh_gradient}),
        {[&](Flops c_g) { return E * (c_g + 4 * d + p.subgradient) + c_g + 3 * d; },
         [&](Index all) { return 4 * all * d; }, 2, 2});
  const Costs composite{[&](Flops c_g) { return E * (c_g + 2 * d + p.prox) + d; },
                        [&](Index all) { return 2 * all * d + p.prox; }};
  check(with_local_steps<FedMidOptions>(), composite);
  check(with_local_steps<FedDualAvgOptions>(), composite);
  check(with_local_steps<FastFedDaOptions>(),
        {[&](Flops c_g) { return E * (c_g + 2 * d) + (E - 1) * (7 * d + p.prox); },
         [&](Index all) { return 4 * all * d + p.prox; }, 3, 2});
  check(with_local_steps<CFedDaOptions>(), {[&](Flops c_g) { return E * (c_g + 2 * d) + (E - 1) * (5 * d + cprox); },
                                            [&](Index all) { return 2 * all * d + cprox; }, 3, 1});
  McFedDaOptions stages{{{}}, {{.lambda = 0.1, .rounds = rounds, .local_steps = E}}};
  stages.batch = b;
  stages.mu = 0.1, stages.gamma = 20;
  check(stages, {[&](Flops c_g) { return E * (c_g + 2 * d) + (E - 1) * (5 * d + cprox); },
                 [&](Index all) { return 2 * all * d + cprox; }, 3, 1});
}

}  // namespace

TEST_CASE("a round of each federated algorithm costs the flops, messages and bytes of the sheet, with an l1 norm") {
  const Index d = 7;
  check_all(lasso(60, d, 0.1), {.d = d,
                                .gradient = [](Index of) { return 4 * of * d + of + d; },
                                .prox = 3 * d,
                                .check = 2 * d,
                                .subgradient = 2 * d});
}

TEST_CASE("a round of each federated algorithm costs the flops, messages and bytes of the sheet, with a nuclear norm") {
  const Index p1 = 4, n = 3, d = p1 * n, svd = 14 * p1 * n * n + 8 * n * n * n;
  check_all(low_rank(60, n, p1, 0.1), {.d = d,
                                       .gradient = [](Index of) { return 4 * of * d + of + d; },
                                       .prox = svd + 2 * p1 * n * n,
                                       .check = 2 * d + svd,
                                       .subgradient = svd + 2 * p1 * n * n});
}

TEST_CASE("a round of each federated algorithm costs the flops, messages and bytes of the sheet, with softmax scores") {
  const Index features = 5, c = 3, d = features * c;
  check_all(softmax_lasso(60, features, c, 0.1), {.d = d,
                                                  .gradient = [](Index of) { return 4 * of * d + 6 * of * c + d; },
                                                  .prox = 3 * d,
                                                  .check = 2 * d,
                                                  .subgradient = 2 * d});
}

TEST_CASE("a Euclidean ball adds 3 d flops to each prox") {
  const Index d = 7;
  Bench bench{.problem = lasso(60, d, 0.1), .sizes = {10, 3, 17, 30}, .rounds = rounds};
  const auto flops = [&](std::optional<double> rho) {
    FedMidOptions options = with_local_steps<FedMidOptions>();
    options.rho = rho;
    return simulate(bench, options).ledger.total().flops;
  };
  CHECK(flops(100.0) - flops({}) == rounds * (4 * E + 1) * 3 * d);
}

TEST_CASE("lean messages carry d numbers each way, at the price of a prox more at the client") {
  const Index d = 7;
  Bench bench{.problem = lasso(60, d, 0.1), .sizes = {10, 3, 17, 30}, .rounds = rounds};
  const Flops c_g = 4 * b * d + b + d;
  FastFedDaOptions fast = with_local_steps<FastFedDaOptions>();
  fast.messages = Messages::lean;
  const Result of_fast = simulate(bench, fast);
  CHECK(of_fast.ledger.agent(1).bytes_sent == rounds * d * 8);
  CHECK(of_fast.ledger.agent(0).bytes_sent == rounds * 4 * d * 8);
  CHECK(of_fast.ledger.agent(1).flops == rounds * (E * (c_g + 4 * d) + E * (3 * d + 3 * d)) - (3 * d + 3 * d));
  CHECK(of_fast.ledger.agent(0).flops == rounds * (2 * 4 * d + 3 * d));
  CFedDaOptions staged = with_local_steps<CFedDaOptions>();
  staged.messages = Messages::lean;
  const Result of_staged = simulate(bench, staged);
  CHECK(of_staged.ledger.agent(1).bytes_sent == rounds * d * 8);
  CHECK(of_staged.ledger.agent(0).bytes_sent == rounds * 4 * d * 8);
  CHECK(of_staged.ledger.agent(1).flops ==
        rounds * (E * (c_g + 2 * d) + 2 * d + E * (3 * d + 5 * d)) - (3 * d + 5 * d));
}

}  // namespace lagnet::federated_costs_test
