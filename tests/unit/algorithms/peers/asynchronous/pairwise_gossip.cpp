#include "algorithms/peers/asynchronous/pairwise_gossip.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/unit/algorithms/peers/asynchronous/moments_bench.hpp"

namespace lagnet::pairwise_gossip_test {

using namespace lagnet::test;

namespace {

constexpr PairwiseGossipOptions additive{.protocol = GossipProtocol::additive};
constexpr PairwiseGossipOptions locked{.protocol = GossipProtocol::locked};

/// Agents with 0 and 4, whose clocks have these periods.
MomentsBench clocked(double period_0, double period_1, double end_ms) {
  MomentsBench bench = two_agents(0, 4);
  bench.period_ms = {period_0, period_1};
  bench.end_ms = end_ms;
  return bench;
}

/// Loses the first transmission from an agent to another.
class LosesFirst final : public FaultRule {
 public:
  LosesFirst(AgentId from, AgentId to) : from_(from), to_(to) {}
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.from == from_ && what.to == to_ && !std::exchange(has_lost_, true)) fate.lost = Cause::loss;
  }

 private:
  AgentId from_, to_;
  mutable bool has_lost_ = false;
};

}  // namespace

TEST_CASE("after one request and a round trip both agents are at their mean, by either protocol") {
  for (const PairwiseGossipOptions& options : {additive, locked}) {
    const MomentsResult result = simulate(clocked(10, 1000, 19), options);
    CHECK(result.value(1, 10.5) == 4);
    CHECK(result.value(1, 11) == 2);  // a way later
    CHECK(result.value(0, 11.5) == 0);
    CHECK(result.value(0, 12) == 2);
    CHECK(result.ledger.total().messages_sent == 2);
    CHECK(result.ledger.total().bytes_sent == 16);
    CHECK(result.reports.back().n == 0);  // an update is a request that is served, and agent 0 has served none
  }
}

TEST_CASE("two agents that ask each other at once change places by additive gossip and refuse by the locked one") {
  const MomentsResult swapped = simulate(clocked(10, 10, 29), additive);
  CHECK(swapped.value(0, 11) == 2);
  CHECK(swapped.value(1, 11) == 2);
  CHECK(swapped.value(0, 12) == 4);
  CHECK(swapped.value(1, 12) == 0);
  CHECK(swapped.value(0, 22) == 0);
  CHECK(swapped.value(1, 22) == 4);
  const MomentsResult refused = simulate(clocked(10, 10, 29), locked);
  CHECK(refused.value(0, 29) == 0);
  CHECK(refused.value(1, 29) == 4);
  CHECK(refused.ledger.total().messages_sent == 8);
  CHECK(refused.ledger.total().bytes_sent == 4 * 8);  // refusals are empty
}

TEST_CASE("only under the locked protocol an agent that waits for an answer skips its ticks") {
  MomentsBench bench = clocked(10, 1000, 49);
  bench.peers.latencies_ns = {15'000'000};
  const MomentsResult waits = simulate(bench, locked);
  CHECK(waits.missed.at(0) == 2);  // those at 20 and 30 ms; at 40 ms the answer is there
  CHECK(waits.ledger.agent(0).messages_sent == 2);
  const MomentsResult asks = simulate(bench, additive);
  CHECK(asks.missed.empty());
  CHECK(asks.ledger.agent(0).messages_sent == 4);
}

TEST_CASE("the next exchange of additive gossip compensates a lost answer") {
  MomentsBench bench = clocked(10, 1000, 29);
  bench.peers.model.faults.push_back(std::make_shared<LosesFirst>(1, 0));
  const MomentsResult result = simulate(bench, additive);
  CHECK(result.value(1, 11) == 2);  // has taken -2, which agent 0 does not know
  CHECK(result.value(0, 19) == 0);
  CHECK(result.value(1, 21) == 1);
  CHECK(result.value(0, 22) == 3);
  MomentsBench other = clocked(10, 1000, 29);
  other.peers.model.faults.push_back(std::make_shared<LosesFirst>(0, 1));
  const MomentsResult late = simulate(other, additive);  // a lost request does not count
  CHECK(late.value(1, 19) == 4);
  CHECK(late.value(1, 21) == 2);
  CHECK(late.value(0, 22) == 2);
}

TEST_CASE("agents of pairwise gossip start at their own minimizers, and the objective is that of the mean") {
  const MomentsBench bench = clocked(10, 1000, 5);
  const auto method = make_algorithm(additive, bench.assignment());
  const std::vector<std::vector<Vector>> first{method->first_report(0), method->first_report(1)};
  CHECK(first[0][0][0] == Approx(0).margin(few_roundings));
  CHECK(first[1][0][0] == Approx(4).epsilon(few_roundings));
  const Evaluation start = method->evaluate(0, first, {});
  CHECK(start.iterate[0] == Approx(2).epsilon(few_roundings));
  CHECK(start.objective == Approx(2).epsilon(few_roundings));              // (2^2 + 2^2) / 2 / 2
  CHECK(start.metrics.at(0).value() == Approx(2).epsilon(few_roundings));  // the root of the mean square distance
}

}  // namespace lagnet::pairwise_gossip_test
