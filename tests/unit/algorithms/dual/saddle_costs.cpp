#include <map>

#include "algorithms/local/dual_solvers.hpp"
#include "tests/unit/algorithms/dual/saddle_bench.hpp"

namespace lagnet::saddle_costs_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 6, n = 30, K = 3, rounds = 4, H = 7;
constexpr Bytes number = sizeof(double);

Bench bench_of(bool sparse) {
  Bench bench{.problem = saddle_problem(n, d, 0.05, make_loss(SmoothedHingeOptions{.gamma = 1})),
              .sizes = {12, 8, 10},
              .rounds = rounds};
  if (!sparse) return bench;
  const Matrix X = bench.problem.X->dense();
  const Matrix some = (X.array().abs() > 0.3).select(X, 0.0);
  bench.problem.X = std::make_shared<const DataMatrix>(SparseMatrix(some.sparseView()));
  return bench;
}

/// Stored entries of the samples first, .. of a client, the steps' numbers being below n_k.
Index entries(const Bench& bench, AgentId k, Index steps) {
  const SampleRows rows(*bench.problem.X, bench.problem.y);
  const Index first = bench.assignment().sample_starts[k], n_k = bench.sizes[k - 1];
  Index sum = 0;
  for (Index h = 0; h < steps; ++h) sum += rows.entries(first + h % n_k);
  return sum;
}

}  // namespace

TEST_CASE("a round of DiSPA costs one round trip, 2 d numbers down, d up, and the steps' flops") {
  for (const bool sparse : {false, true})
    for (const auto solver : {LocalSolverKind::spdc, LocalSolverKind::sdca}) {
      const Bench bench = bench_of(sparse);
      const Result result = simulate(bench, with_steps(dispa(1, 4, solver), H, StepOrder::cyclic));
      CHECK(result.ledger.total().messages_sent == 2 * K * rounds);
      CHECK(result.ledger.agent(0).bytes_sent == rounds * K * 2 * d * number);
      CHECK(result.ledger.agent(0).flops == rounds * (K * d + 5 * d));
      for (AgentId k = 1; k <= 3; ++k) {
        CAPTURE(sparse, static_cast<int>(solver), k);
        const Index nnz_k = entries(bench, k, bench.sizes[k - 1]), nnz_H = entries(bench, k, H);
        const bool ascent = solver == LocalSolverKind::sdca;
        const Index steps = ascent ? 4 * nnz_H + 10 * H : sparse ? 22 * nnz_H + 15 * H : H * (13 * d + 15);
        CHECK(result.ledger.agent(k).flops == rounds * (steps + (ascent ? 2 : 4) * nnz_k));
        CHECK(result.ledger.agent(k).bytes_sent == rounds * d * number);
      }
    }
}

TEST_CASE("lean messages take d numbers down, at the price of 5 d flops") {
  const Bench bench = bench_of(false);
  DispaOptions options = with_steps(dispa(1, 4), H, StepOrder::cyclic);
  const Result paper = simulate(bench, options);
  options.messages = SaddleMessages::lean;
  const Result lean = simulate(bench, options);
  CHECK(lean.ledger.agent(0).bytes_sent == rounds * K * d * number);
  CHECK(lean.ledger.agent(2).flops == paper.ledger.agent(2).flops + rounds * 5 * d);
}

TEST_CASE("A-DiSPA sends z once a stage to each machine") {
  Bench bench = bench_of(false);
  bench.rounds = 7;
  ADispaOptions options;
  options.tau = 1;
  options.sigma = 4;
  options.vt = 0.1;
  options.rounds_per_stage = 3;  // stages of rounds 1-3, 4-6, 7
  const Result paper = simulate(bench, options);
  CHECK(paper.ledger.agent(0).bytes_sent == K * (7 * 2 + 3) * d * number);
  CHECK(paper.ledger.agent(0).flops == 7 * (K * d + 5 * d) + 2 * 3 * d);  // two extrapolations
  CHECK(paper.ledger.agent(1).bytes_sent == 7 * d * number);
  options.messages = SaddleMessages::lean;
  CHECK(simulate(bench, options).ledger.agent(0).bytes_sent == K * (7 + 3) * d * number);
  // One that is asked in the second round of a stage for the first time gets z then.
  bench.model.participation = std::make_shared<const ListedParticipation>(
      std::vector<std::vector<AgentId>>{{1, 2}, {1, 3}, {2}, {1}, {1}, {1, 2, 3}, {1}});
  options.messages = SaddleMessages::paper;
  CHECK(simulate(bench, options).ledger.agent(0).bytes_sent == (11 * 2 + 3 + 3 + 1) * d * number);
}

TEST_CASE("a round of CoCoA+ costs one round trip, d numbers each way, and the steps' flops") {
  for (const bool sparse : {false, true}) {
    const Bench bench = bench_of(sparse);
    const Result result = simulate(bench, with_steps(CocoaPlusOptions{}, H, StepOrder::cyclic));
    CHECK(result.ledger.total().messages_sent == 2 * K * rounds);
    CHECK(result.ledger.agent(0).bytes_sent == rounds * K * d * number);
    CHECK(result.ledger.agent(0).flops == rounds * (K * d + 2 * d));
    for (AgentId k = 1; k <= 3; ++k) {
      const Index nnz_k = entries(bench, k, bench.sizes[k - 1]), nnz_H = entries(bench, k, H);
      CHECK(result.ledger.agent(k).flops == rounds * (4 * nnz_H + 10 * H + 2 * nnz_k + d));
      CHECK(result.ledger.agent(k).bytes_sent == rounds * d * number);
    }
  }
}

TEST_CASE("exact solutions are billed for the sweeps that they took") {
  const Bench bench = bench_of(false);
  const Result result = simulate(bench, dispa(1, 4, LocalSolverKind::exact));
  for (AgentId k = 1; k <= 3; ++k) {
    const Index n_k = bench.sizes[k - 1], sweep = n_k * (4 * d + 10);
    const Flops sweeps = result.ledger.agent(k).flops - rounds * 2 * n_k * d;
    CHECK(sweeps % sweep == 0);
    CHECK(sweeps >= 2 * rounds * sweep);  // the last one finds that nothing changes
  }
}

}  // namespace lagnet::saddle_costs_test
