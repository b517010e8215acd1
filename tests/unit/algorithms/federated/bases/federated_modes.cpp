#include <map>
#include <set>

#include "algorithms/federated/c_fed_da.hpp"
#include "algorithms/federated/fast_fed_da.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/federated/fed_dual_avg.hpp"
#include "algorithms/federated/fed_mid.hpp"
#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/scaffold.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

/// What a round costs in every mode: literal and lean messages, sampled participation, stages, a Euclidean ball.
namespace lagnet::federated_modes_test {

using namespace lagnet::test;

namespace {

constexpr Index b = 4;
constexpr double rho = 50;  // never binds, and is billed all the same

/// A problem and what it charges for a gradient of n samples, a prox, and the check of a prox in balls.
struct Priced {
  Problem problem;
  std::function<Flops(Index)> gradient;
  Flops prox = 0, check = 0;
};

std::vector<Priced> all_problems() {
  const Index p1 = 4, n = 3, svd = 14 * p1 * n * n + 8 * n * n * n, all = p1 * n;
  const auto of_squares = [](Index d) { return [d](Index of) -> Flops { return 4 * of * d + of + d; }; };
  return {
      {lasso(60, 7, 0.1), of_squares(7), 3 * 7, 2 * 7},
      {low_rank(60, p1, n, 0.1), of_squares(all), svd + 2 * p1 * n * n, 2 * all + svd},
      {low_rank(60, n, p1, 0.1), of_squares(all), svd + 2 * p1 * n * n, 2 * all + svd},
      {softmax_lasso(60, 5, 3, 0.1), [](Index of) -> Flops { return 4 * of * 15 + 6 * of * 3 + 15; }, 3 * 15, 2 * 15}};
}

struct Stage {
  Round rounds = 0;
  Index E = 1;
};

/// The sums of sections 4 and 5 over a run in which two clients of four are asked in each round.
struct Expected {
  std::map<AgentId, Flops> flops;
  std::map<AgentId, Bytes> sent;
};

/// What one round adds: to a client with this c_g in round r of its stage with E steps, and to the server.
struct Mode {
  std::function<Flops(Flops c_g, Index E, Round r)> client;
  Flops server = 0;
  Index down = 1, up = 1;
};

Expected expected(const Bench& bench, const Priced& priced, const std::vector<Stage>& stages, const Mode& mode) {
  Expected sums;
  const Bytes vector = 8 * bench.problem.dim();
  Round t = 0;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    std::set<AgentId> met;  // clients that have taken part in the stage
    for (Round r = 0; r < stages[i].rounds; ++r) {
      for (const AgentId k : bench.model.participation->chosen(++t, std::vector<AgentId>{1, 2, 3, 4})) {
        const bool with_start = met.insert(k).second && i > 0;
        sums.flops[k] += mode.client(priced.gradient(std::min(b, bench.sizes[k - 1])), stages[i].E, r);
        sums.sent[k] += mode.up * vector;
        sums.sent[0] += (mode.down + (with_start ? 1 : 0)) * vector;
      }
      sums.flops[0] += mode.server;
    }
  }
  return sums;
}

void check(const Bench& bench, const Algorithm& method, Expected sums) {
  const Result result = simulate(bench, method);
  for (AgentId k = 0; k <= 4; ++k) {
    CAPTURE(k);
    CHECK(result.ledger.agent(k).flops == sums.flops[k]);
    CHECK(result.ledger.agent(k).bytes_sent == sums.sent[k]);
  }
  CHECK(result.ledger.total().messages_sent == bench.rounds * 2 * 2);
}

Bench bench_of(const Priced& priced, Round rounds) {
  Bench bench{.problem = priced.problem, .sizes = {10, 3, 17, 30}, .rounds = rounds};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, 2));
  return bench;
}

template <class Options>
Options with_constants(Options options) {
  options.batch = b;
  options.mu = 0.1, options.gamma = 20;
  options.rho = rho;
  return options;
}

}  // namespace

TEST_CASE("Fast-FedDA costs as its table says with both kinds of messages, in a ball, with two clients of four") {
  const Index E = 3;
  for (const Priced& priced : all_problems()) {
    const Index d = priced.problem.dim(), prox = priced.prox + 3 * d;
    const Bench bench = bench_of(priced, 9);
    FastFedDaOptions options = with_constants(FastFedDaOptions{{}, E});
    const Mode literal{[&](Flops c_g, Index, Round) { return E * (c_g + 2 * d) + (E - 1) * (7 * d + prox); },
                       2 * 2 * 2 * d + prox, 3, 2};
    check(bench, FastFedDa(options, bench.assignment()), expected(bench, priced, {{9, E}}, literal));
    options.messages = Messages::lean;
    // v += alpha (gradient - mu x / 2) is 4 d a step, and the client's own w one more prox but in the first round.
    const Mode lean{
        [&](Flops c_g, Index, Round r) { return E * (c_g + 4 * d) + (r == 0 ? E - 1 : E) * (3 * d + prox); },
        2 * 2 * d + prox};
    check(bench, FastFedDa(options, bench.assignment()), expected(bench, priced, {{9, E}}, lean));
  }
}

TEST_CASE("C-FedDA and its stages cost as their table says with both kinds of messages, in a ball, with two of four") {
  const std::vector<Stage> stages{{4, 2}, {1, 3}, {6, 1}};
  for (const Priced& priced : all_problems())
    for (const Messages messages : {Messages::literal, Messages::lean}) {
      const Index d = priced.problem.dim(), cprox = priced.prox + 3 * d + priced.check;
      const bool is_lean = messages == Messages::lean;
      const Mode mode{[&](Flops c_g, Index E, Round r) {
                        if (!is_lean) return E * (c_g + 2 * d) + (E - 1) * (5 * d + cprox);
                        // u = v - (mu E / 2) alpha w is 2 d, and w one more prox but where a stage starts.
                        return E * (c_g + 2 * d) + 2 * d + (r == 0 ? E - 1 : E) * (3 * d + cprox);
                      },
                      2 * 2 * d + cprox, is_lean ? 1 : 3};
      const Bench bench = bench_of(priced, 11);
      CFedDaOptions one = with_constants(CFedDaOptions{{{}}, /*local_steps=*/3});
      one.messages = messages;
      check(bench, *make_algorithm(one, bench.assignment()), expected(bench, priced, {{11, 3}}, mode));
      McFedDaOptions several = with_constants(McFedDaOptions{});
      several.messages = messages;
      for (const Stage& stage : stages)
        several.stages.push_back({.lambda = 0.1, .rounds = stage.rounds, .local_steps = stage.E});
      check(bench, *make_algorithm(several, bench.assignment()), expected(bench, priced, stages, mode));
    }
}

TEST_CASE("FedMiD's server pays for the prox that it takes, in each of its forms, and FedDA for its own") {
  const Index E = 3;
  for (const Priced& priced : all_problems()) {
    const Index d = priced.problem.dim(), prox = priced.prox + 3 * d;
    const Bench bench = bench_of(priced, 5);
    const auto client = [&](Flops c_g, Index, Round) { return E * (c_g + 2 * d + prox) + d; };
    FedMidOptions options{{.local_steps = E, .batch = b, .client_step = 0.05}, ServerProx::steps, rho};
    for (const ServerProx form : {ServerProx::steps, ServerProx::single, ServerProx::none}) {
      options.server_prox = form;
      // Without a prox the ball is left.
      const Mode mode{client, 2 * 2 * d + (form == ServerProx::none ? 3 * d : prox)};
      check(bench, FedMid(options, bench.assignment()), expected(bench, priced, {{5, E}}, mode));
    }
    const FedDualAvg dual({{.local_steps = E, .batch = b, .client_step = 0.05}, rho}, bench.assignment());
    check(bench, dual, expected(bench, priced, {{5, E}}, {client, 2 * 2 * d + prox}));
  }
}

TEST_CASE("the flops of the paper's first figure are those that the sheet works out") {
  // d = 1024, b = 10, E = 10: a gradient takes 41994 flops, a client's round 0.45 to 0.55 million with any method.
  const Index d = 1024;
  Bench bench{.problem = lasso(20, d, 1.0 / 32), .sizes = {20}, .rounds = 1};
  const auto flops = [&](const auto& options) { return simulate(bench, options).ledger.agent(1).flops; };
  const Flops avg = flops(FedAvgOptions{{.local_steps = 10, .batch = 10, .client_step = 1e-3}});
  CHECK(avg == 10 * (41994 + 2 * d + 2 * d) + d);
  const FastFedDaOptions fast{{.batch = 10, .mu = 0.1, .gamma = 550}, /*local_steps=*/10};
  const CFedDaOptions constrained{{{.batch = 10, .mu = 0.1, .gamma = 60}}, /*local_steps=*/10};
  for (const Flops all : {avg, flops(ScaffoldOptions{{.local_steps = 10, .batch = 10, .client_step = 1e-3}}),
                          flops(FedMidOptions{{.local_steps = 10, .batch = 10, .client_step = 1e-3}}),
                          flops(FedDualAvgOptions{{.local_steps = 10, .batch = 10, .client_step = 1e-3}}), flops(fast),
                          flops(constrained)}) {
    CHECK(all > 450'000);
    CHECK(all < 550'000);
  }
}

}  // namespace lagnet::federated_modes_test
