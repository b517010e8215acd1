#include "algorithms/federated/fed_at.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/algorithms/federated/federated_bench.hpp"

namespace lagnet::fed_at_test {

using namespace lagnet::test;

namespace {

FedAtOptions tiers(std::vector<std::vector<std::int64_t>> members) {
  FedAtOptions options;
  options.tiers = std::ssize(members);
  options.members = std::move(members);
  options.local_steps = RoundCounts(3);
  options.client_step = 0.1;
  return options;
}

Bench five_clients(Round rounds) {
  Bench bench{.problem = random_problem(50, 3, 0, 0.1), .sizes = {5, 15, 8, 12, 10}, .rounds = rounds};
  bench.latencies_ns = {1'000'000, 9'000'000, 2'000'000, 10'000'000, 1'500'000};
  return bench;
}

std::string refusal(const FedAtOptions& options) {
  try {
    make_algorithm(options, five_clients(1).assignment());
  } catch (const Diagnosed& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("one tier goes as fed_prox does") {
  const Bench bench = five_clients(10);
  FedAtOptions options = tiers({{1, 2, 3, 4, 5}});
  options.mu = 0.4;
  FedProxOptions prox;
  prox.local_steps = options.local_steps;
  prox.client_step = 0.1;
  prox.mu = 0.4;
  const Result result = simulate(bench, options), known = simulate(bench, prox);
  for (std::size_t t = 0; t <= 10; ++t) CHECK((result.w[t] - known.w[t]).norm() < 1e-14);
  CHECK(result.ledger.agent(0).flops == known.ledger.agent(0).flops + 10 * 2 * 3);
}

TEST_CASE("a fast tier weighs as often as the slow one ended a round") {
  // Rounds of the fast tier take 4 ms, those of the slow one 20 ms: four of the one come before the first of the other.
  const Result result = simulate(five_clients(8), tiers({{1, 3, 5}, {2, 4}}));
  for (std::size_t t = 1; t <= 4; ++t) CHECK(result.w[t] == result.w[0]);
  CHECK(result.w[5] != result.w[0]);
}

TEST_CASE("tiers follow from how soon clients answer") {
  const Bench bench = five_clients(30);
  FedAtOptions options = tiers({});
  options.tiers = 2;
  options.profile_rounds = 2;
  const Result found = simulate(bench, options), listed = simulate(bench, tiers({{1, 3, 5}, {2, 4}}));
  CHECK(found.w == listed.w);
  CHECK(found.ledger.total().messages_sent == listed.ledger.total().messages_sent + 2 * 2 * 5);
}

TEST_CASE("a tier closes its round at the deadline, and goes on without an answer") {
  Bench bench = five_clients(20);
  bench.model.round_rule.deadline = Duration::milliseconds(19);  // client 4 takes 20
  const Result result = simulate(bench, tiers({{1, 3, 5}, {2, 4}}));
  CHECK(result.w.size() == 21);
  CHECK(result.w.back() != result.w[0]);
}

TEST_CASE("every client is in one tier") {
  CHECK(refusal(tiers({{1, 2, 3, 4, 5}})).empty());
  CHECK(refusal(tiers({{1, 2}, {3, 4}})) == "members: expected every client in one tier, found 4 clients of 5");
  CHECK(refusal(tiers({{1, 2, 3}, {3, 4, 5}})) == "members: expected every client in one tier, found 6 clients of 5");
  FedAtOptions many = tiers({});
  many.tiers = 6;
  CHECK(refusal(many) == "tiers: expected at most 5, the number of clients, found 6");
}

}  // namespace lagnet::fed_at_test
