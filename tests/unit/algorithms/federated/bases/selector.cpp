#include "algorithms/federated/bases/selector.hpp"

#include <catch2/catch.hpp>

#include "algorithms/federated/fed_avg.hpp"
#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::selector_test {

using namespace lagnet::test;

namespace {

constexpr Index d = 3;

Bench five_clients(Round rounds) {
  Bench bench{.problem = random_problem(50, d, 0, 0.1), .sizes = {5, 15, 8, 12, 10}, .rounds = rounds};
  bench.latencies_ns = {1'000'000, 9'000'000, 2'000'000, 10'000'000, 1'500'000};
  return bench;
}

FedAvgOptions averaging() {
  FedAvgOptions options;
  options.local_steps = RoundCounts(2);
  options.client_step = 0.1;
  return options;
}

Result selecting(const Bench& bench, Selection selection) {
  MethodInput given = bench.assignment();
  given.selection = std::move(selection);
  given.speeds.assign(6, 1e9);
  return simulate(bench, *make_algorithm(averaging(), std::move(given)));
}

}  // namespace

TEST_CASE("a server that asks all candidates, and all of them to train, does federated averaging") {
  const Bench bench = five_clients(10);
  const Result result = selecting(bench, PowerOfChoiceOptions{.candidates = 5, .size = 5});
  CHECK(result.w == simulate(bench, averaging()).w);
  CHECK(selecting(bench, OortOptions{.size = 5}).w == result.w);
  CHECK(selecting(bench, TiersOptions{.tiers = 1, .size = 5}).w == result.w);
}

TEST_CASE("candidates get a model and send a loss, and those of largest loss train from that model") {
  const Bench bench = five_clients(7);
  const Result result = selecting(bench, PowerOfChoiceOptions{.candidates = 4, .size = 2});
  CHECK(result.ledger.total().messages_sent == 7 * (4 + 4 + 2 + 2));
  CHECK(result.ledger.total().bytes_sent == 7 * 8 * (4 * d + 4 + 2 * d));
  const Result stale = selecting(bench, PowerOfChoiceOptions{.candidates = 4, .size = 2, .stale = true});
  CHECK(stale.ledger.total().messages_sent == 7 * 4);
  CHECK(stale.ledger.total().bytes_sent == 7 * 8 * (2 * d + 2 * (d + 1)));
}

TEST_CASE("a loss on all samples costs 2 n d + 2 n flops, and one on b samples those of b") {
  const Bench bench = five_clients(1);
  const auto flops = [&](PowerOfChoiceOptions options) {
    const Result result = selecting(bench, options);
    Flops clients = 0;
    for (AgentId k = 1; k <= 5; ++k) clients += result.ledger.agent(k).flops;
    return clients;
  };
  const Flops training = simulate(bench, averaging()).ledger.total().flops - 2 * 5 * d;
  CHECK(flops({.candidates = 5, .size = 5}) == training + 50 * (2 * d + 2));
  CHECK(flops({.candidates = 5, .size = 5, .loss_samples = 4}) == training + 5 * 4 * (2 * d + 2));
}

TEST_CASE("in tiers, the first rounds ask all, and the others some clients of one tier") {
  const Bench bench = five_clients(40);
  const Result result = selecting(bench, TiersOptions{.tiers = 2, .size = 2, .policy = std::vector<double>{1, 0}});
  CHECK(result.ledger.total().messages_sent == 2 * 5 + 39 * 4);
  for (const AgentId k : {2, 4}) CHECK(result.ledger.agent(k).messages_sent == 1);  // the slow ones
  for (const AgentId k : {1, 3, 5}) CHECK(result.ledger.agent(k).messages_sent > 10);
}

TEST_CASE("without chances, all tiers have their turns") {
  const Bench bench = five_clients(40);
  const Result result = selecting(bench, TiersOptions{.tiers = 2, .size = 2});
  CHECK(result.ledger.total().messages_sent == 2 * 5 + 39 * 4);
  for (AgentId k = 1; k <= 5; ++k) CHECK(result.ledger.agent(k).messages_sent > 5);
}

TEST_CASE("oort asks as many as it should, and all of them some time") {
  const Bench bench = five_clients(40);
  const Result result = selecting(bench, OortOptions{.size = 2});
  CHECK(result.ledger.total().messages_sent == 40 * 4);
  CHECK(result.ledger.total().bytes_sent == 40 * 8 * (2 * d + 2 * (d + 1)));
  for (AgentId k = 1; k <= 5; ++k) CHECK(result.ledger.agent(k).messages_sent > 0);
}

}  // namespace lagnet::selector_test
