#include "algorithms/federated/mc_fed_da.hpp"
#include "algorithms/federated/c_fed_da.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"
#include "tests/unit/algorithms/make_algorithm.hpp"

namespace lagnet::mc_fed_da_test {

using namespace lagnet::test;

namespace {

constexpr double mu = 0.2;
constexpr Index m = 2;  // clients of a round

}  // namespace

TEST_CASE("one stage with the problem's weight is C-FedDA, bit for bit") {
  for (const Bench& bench : benches(30)) {
    CFedDaOptions one{{{.mu = mu, .gamma = 10}}, /*local_steps=*/3};
    McFedDaOptions stages{{{.mu = mu, .gamma = 10}}, {{.lambda = 0.2, .rounds = 30, .local_steps = 3}}};
    CHECK(simulate(bench, one).w == simulate(bench, stages).w);
  }
}

TEST_CASE("a stage starts where the one before has ended, and rounds after the last stage are not run") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 100};
  for (const StagedOutput output : {StagedOutput::average, StagedOutput::last}) {
    McFedDaOptions both{{{.mu = mu, .gamma = 5}}, {{.lambda = 0.4, .rounds = 7}, {.lambda = 0.2, .rounds = 5}}, output};
    const Result result = simulate(bench, both);
    REQUIRE(result.w.size() == 13);
    Bench second = bench;
    second.start = result.parts[7][output == StagedOutput::last ? 0 : 1];
    const Result alone = simulate(second, McFedDaOptions{{{.mu = mu, .gamma = 5}}, {{.lambda = 0.2, .rounds = 5}}});
    for (std::size_t t = 1; t <= 5; ++t) CHECK(alone.w[t] == result.w[7 + t]);
  }
}

TEST_CASE("a client that has missed the start of a stage is sent it again") {
  Bench bench{.problem = lasso(40, 4, 0.2), .sizes = {5, 15, 20}, .rounds = 12};
  bench.model.round_rule.deadline = Duration::milliseconds(5);
  bench.latencies_ns = {1'000'000, 1'000'000, 4'000'000};  // the answers of the third come too late, always
  McFedDaOptions options{{{.mu = mu, .gamma = 5}}, {{.lambda = 0.4, .rounds = 4}, {.lambda = 0.2, .rounds = 8}}};
  const Result result = simulate(bench, options);
  const Index d = 4;
  CHECK(result.ledger.agent(0).bytes_sent == (12 * 3 * 3 + 2 + 8) * d * 8);
  CHECK(result.ledger.agent(0).late > 0);
}

TEST_CASE("a stage's start is billed once to each client that takes part in the stage, the first start to none") {
  const Index d = 7;
  Bench bench{.problem = lasso(60, d, 0.1), .sizes = {10, 3, 17, 30}, .rounds = 12};
  bench.model.participation = std::make_shared<const RandomSubset>(RandomSubset::of_size(1, m));
  McFedDaOptions options{{{.mu = 0.1, .gamma = 20}},
                         {{.lambda = 0.4, .rounds = 4}, {.lambda = 0.2, .rounds = 1}, {.lambda = 0.1, .rounds = 7}}};
  const Result result = simulate(bench, options);
  std::map<AgentId, bool> second, third;
  for (Round t = 5; t <= 12; ++t)
    for (const AgentId k : bench.model.participation->chosen(t, std::vector<AgentId>{1, 2, 3, 4}))
      (t == 5 ? second : third)[k] = true;
  CHECK(second.size() == m);
  CHECK(third.size() > m);
  CHECK(result.ledger.agent(0).bytes_sent ==
        (12 * m * 3 + std::ssize(second) + std::ssize(third)) * d * static_cast<Bytes>(sizeof(double)));
}

}  // namespace lagnet::mc_fed_da_test
