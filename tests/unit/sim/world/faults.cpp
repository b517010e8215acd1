#include "sim/world/faults.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::faults_test {

using namespace lagnet::test;

/// Faults by chance. Seeds are fixed, so each bound holds or not for ever; it is four standard deviations of what is
/// measured, which one test in 16,000 would miss by chance.
namespace {

/// `per_round` messages in each round, a round every 1000 ns, over a link of 100 ns from agent 0 to agent 1.
Task<> send_rounds(Agent& me, Round rounds, int per_round) {
  for (Round t = 0; t < rounds; ++t) {
    for (int k = 0; k < per_round; ++k) me.send(1, t, scalar(k));
    co_await me.sleep(span(1000));
  }
  co_await me.sleep(Duration::seconds(1));
}

struct Stream {
  Stream(std::shared_ptr<const FaultRule> fault, Round rounds, int per_round = 1, const Repair& repair = {},
         bool in_order = false)
      : world(2, line({100}),
              {.seed = 5, .model = {.in_order = in_order, .faults = {std::move(fault)}, .repair = repair}}) {
    world.spawn(0, send_rounds(world.agent(0), rounds, per_round));
    world.run();
  }
  std::vector<SimEvent> all(EventKind what) const {
    std::vector<SimEvent> found;
    for (const SimEvent& one : world.log.all)
      if (one.what == what) found.push_back(one);
    return found;
  }
  /// For each message in the order of sending, whether its first transmission was lost.
  std::vector<bool> losses() const {
    std::vector<std::uint64_t> lost_serials;
    for (const SimEvent& one : all(EventKind::lost)) lost_serials.push_back(one.serial);
    std::ranges::sort(lost_serials);
    std::vector<bool> lost;
    for (const SimEvent& one : all(EventKind::sent))
      if (one.cause == Cause::none) lost.push_back(std::ranges::binary_search(lost_serials, one.serial));
    return lost;
  }
  World world;
};

double share(const std::vector<bool>& events) {
  return static_cast<double>(std::ranges::count(events, true)) / static_cast<double>(events.size());
}
/// Four standard deviations of the share of `count` independent events.
double four_sigma(double probability, double count) { return 4 * std::sqrt(probability * (1 - probability) / count); }

/// Of neighbors in the list, how often both hold.
double share_of_pairs(const std::vector<bool>& events) {
  std::vector<bool> both;
  for (std::size_t k = 0; k + 1 < events.size(); k += 2) both.push_back(events[k] && events[k + 1]);
  return share(both);
}

}  // namespace

TEST_CASE("Jitter is added to the latency, by the draws of the message") {
  const auto fraction = [](Draws draws) { return draws.uniform(0.0001, 0.0005); };  // 100 to 500 ns
  const Stream stream(std::make_shared<Jitter>(fraction), 50, 2);
  const auto delivered = stream.all(EventKind::delivered);
  REQUIRE(delivered.size() == 100);
  for (const SimEvent& one : stream.all(EventKind::sent)) {
    const auto k = static_cast<std::uint32_t>((one.serial - 1) % 2);
    const double ms = fraction(Draws::between(5, Purpose{"jitter"}, 0, 1, one.round, k << 8));
    const auto same = [&](const SimEvent& other) { return other.serial == one.serial; };
    const auto arrival = std::ranges::find_if(delivered, same);
    REQUIRE(arrival != delivered.end());
    CHECK(arrival->duration == span(100) + Duration::milliseconds(ms));
  }
}

TEST_CASE("Under jitter the same messages come in another order, unless they are kept in order") {
  for (const bool in_order : {false, true}) {
    const auto up_to_ten_us = [](Draws draws) { return draws.uniform(0, 0.01); };  // the next leaves after 1 us
    const Stream stream(std::make_shared<Jitter>(up_to_ten_us), 200, 1, {}, in_order);
    std::vector<Round> rounds;
    for (const SimEvent& one : stream.all(EventKind::delivered)) rounds.push_back(one.round);
    REQUIRE(rounds.size() == 200);
    CHECK(std::ranges::is_sorted(rounds) == in_order);
    std::ranges::sort(rounds);
    for (std::size_t t = 0; t < 200; ++t) CHECK(rounds[t] == static_cast<Round>(t));
  }
}

TEST_CASE("Messages are lost with their probability, each for itself") {
  const auto lost = Stream(std::make_shared<IndependentLoss>(0.1), 10'000, 2).losses();
  REQUIRE(lost.size() == 20'000);
  CHECK(std::abs(share(lost) - 0.1) < four_sigma(0.1, 20'000));
  CHECK(std::abs(share_of_pairs(lost) - 0.01) < four_sigma(0.01, 10'000));  // of one round
  const std::vector<bool> shifted(lost.begin() + 1, lost.end());
  CHECK(std::abs(share_of_pairs(shifted) - 0.01) < four_sigma(0.01, 9'999));  // of two rounds
}

TEST_CASE("A loss probability of 0 loses nothing and one of 1 everything") {
  CHECK(share(Stream(std::make_shared<IndependentLoss>(0), 1000).losses()) == 0);
  CHECK(share(Stream(std::make_shared<IndependentLoss>(1), 1000).losses()) == 1);
}

TEST_CASE("A retransmission is lost with the same probability, whatever became of the first") {
  const Repair once{.timeout = span(200), .longest = span(200), .retries = 1};
  const Stream stream(std::make_shared<IndependentLoss>(0.3), 10'000, 1, once);
  const double again = static_cast<double>(stream.world.ledger.total().retransmitted);
  CHECK(std::abs(again / 10'000 - 0.3) < four_sigma(0.3, 10'000));
  const double lost_again = static_cast<double>(stream.world.ledger.total().messages_lost) - again;
  CHECK(std::abs(lost_again / again - 0.3) < four_sigma(0.3, again));
}

TEST_CASE("Under burst loss the share of lost messages is that of the stationary chain") {
  // Bad in a share b = enter/(enter + leave) = 1/6 of all rounds; lost b * 0.9 + (1 - b) * 0.06 = 0.2. The states of a
  // chain with eigenvalue r = 1 - enter - leave = 0.7 have (1 + r)/(1 - r) times the variance of independent ones in
  // the mean; the losses, which follow them with noise, less than that.
  const BurstLoss::Options options{.enter = 0.05, .leave = 0.25, .loss_when_good = 0.06, .loss_when_bad = 0.9};
  const Stream stream(std::make_shared<BurstLoss>(2, options), 20'000);
  CHECK(std::abs(share(stream.losses()) - 0.2) < four_sigma(0.2, 20'000) * std::sqrt(1.7 / 0.3));
  // The cause shows the state: of all messages, b * 0.9 were lost in a bad one.
  double bursts = 0;
  for (const SimEvent& one : stream.all(EventKind::lost)) bursts += one.cause == Cause::burst ? 1 : 0;
  CHECK(std::abs(bursts / 20'000 - 0.15) < four_sigma(0.15, 20'000) * std::sqrt(1.7 / 0.3));
}

TEST_CASE("Bursts follow from seed, link and round, whatever was asked before") {
  const BurstLoss::Options options{.enter = 0.3, .leave = 0.3};
  const BurstLoss asked_before(1, options);
  const auto is_lost = [](const BurstLoss& rule, std::uint64_t seed, Round round) {
    Fate fate;
    rule.judge({.seed = seed, .link = 0, .from = 0, .to = 1, .round = round}, fate);
    return fate.lost != Cause::none;
  };
  for (Round t = 0; t < 40; ++t)
    for (const std::uint64_t seed : {1u, 2u}) {
      const BurstLoss fresh(1, options);
      CHECK(is_lost(asked_before, seed, t) == is_lost(fresh, seed, t));
    }
}

TEST_CASE("In a round of a bad link everything is lost, and the next round is as bad with probability 1 - leave") {
  const BurstLoss::Options options{.enter = 0.05, .leave = 0.25};
  const auto lost = Stream(std::make_shared<BurstLoss>(2, options), 20'000, 2).losses();
  double bad = 0, stays = 0;
  for (std::size_t k = 0; k < lost.size(); k += 2) {
    REQUIRE(lost[k] == lost[k + 1]);
    if (!lost[k] || k + 2 == lost.size()) continue;
    bad += 1;
    stays += lost[k + 2] ? 1 : 0;
  }
  REQUIRE(bad > 1000);
  CHECK(std::abs(stays / bad - 0.75) < four_sigma(0.75, bad));
}

TEST_CASE("A retransmission finds the link one step on, good again with probability leave") {
  // Every step out of the bad state has the probability 1/4, so a message that is lost at first is sent again 4 times
  // in the mean; the geometric distribution has the variance (1 - 1/4)/(1/4)^2 = 12.
  const BurstLoss::Options options{.enter = 0.05, .leave = 0.25};
  const Repair repair{.timeout = span(200), .longest = span(200), .retries = 200};
  const Stream stream(std::make_shared<BurstLoss>(2, options), 20'000, 1, repair);
  const auto first = static_cast<double>(std::ranges::count(stream.losses(), true));
  REQUIRE(first > 1000);
  const double again = static_cast<double>(stream.world.ledger.total().retransmitted);
  CHECK(std::abs(again / first - 4) < 4 * std::sqrt(12 / first));
  CHECK(stream.all(EventKind::delivered).size() == 20'000);
}

TEST_CASE("Without a way out of the bad state a message is sent in vain as often as may be") {
  const Repair repair{.timeout = span(200), .longest = span(200), .retries = 7};
  const Stream stream(std::make_shared<BurstLoss>(2, BurstLoss::Options{.enter = 1, .leave = 0}), 3, 1, repair);
  CHECK(stream.world.ledger.total().messages_sent == 3 * 8);
  CHECK(stream.world.ledger.total().messages_lost == 3 * 8);
}

TEST_CASE("Reordering holds messages back for its delay, so that later ones overtake them") {
  World world(2, line({100}), {.seed = 5, .model = {.faults = {std::make_shared<Reordering>(0.25, span(2500))}}});
  std::vector<Seen> got;
  world.spawn(0, send_rounds(world.agent(0), 400, 1));
  world.spawn_daemon(1, receive_forever(world.agent(1), got));
  world.run();
  std::vector<Round> in_order_of_arrival;
  double held_back = 0;
  for (const SimEvent& one : world.log.all) {
    if (one.what != EventKind::delivered) continue;
    const bool late = one.duration != span(100);
    CHECK(one.duration == (late ? span(2600) : span(100)));
    CHECK(one.at == at(1000 * one.round) + one.duration);
    held_back += late ? 1 : 0;
    in_order_of_arrival.push_back(one.round);
  }
  CHECK(std::abs(held_back / 400 - 0.25) < four_sigma(0.25, 400));
  REQUIRE(got.size() == 400);
  // received as they came; the receiver stays in round 0, so a message is stale by minus its round
  for (std::size_t k = 0; k < 400; ++k) CHECK(got[k].staleness == -in_order_of_arrival[k]);
  CHECK_FALSE(std::ranges::is_sorted(in_order_of_arrival));
}

}  // namespace lagnet::faults_test
