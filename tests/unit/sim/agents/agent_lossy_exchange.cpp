#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <memory>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_loose_exchange_test {

using namespace lagnet::test;

/// Exchanges that go on without some messages, over links of 100 ns. Agent a's value in round t is 10 a + t.
namespace {

/// Loses what an agent sends in some rounds.
struct LosesRounds final : FaultRule {
  LosesRounds(AgentId agent, std::vector<Round> all) : from(agent), rounds(std::move(all)) {}
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.from == from && std::ranges::count(rounds, what.round) > 0) fate.lost = Cause::loss;
  }
  AgentId from;
  std::vector<Round> rounds;
};

/// Delays what an agent sends in one round.
struct Delays final : FaultRule {
  Delays(AgentId agent, Round slow_round, Duration by) : from(agent), round(slow_round), delay(by) {}
  void judge(const Transmission& what, Fate& fate) const override {
    if (what.from == from && what.round == round) fate.delay = delay;
  }
  AgentId from;
  Round round;
  Duration delay;
};

WorldModel with(MissingNeighborKind kind, std::shared_ptr<const FaultRule> fault) {
  WorldModel model;
  model.faults.push_back(std::move(fault));
  model.missing = {.kind = kind, .deadline = span(1000)};
  return model;
}

struct RoundSeen {
  Round round = 0;
  Time when;
  std::vector<Seen> messages;
  std::vector<std::uint32_t> absent;
};

Task<> exchange_until(Agent& me, Round last, std::vector<RoundSeen>& all) {
  for (Round t = 1; t <= last; t = me.next_round(t)) {
    me.report(t - 1);
    const Vector mine = scalar(10.0 * me.id() + static_cast<double>(t));
    const auto messages = co_await me.exchange(mine);
    RoundSeen one{t, me.now(), {}, {me.absent().begin(), me.absent().end()}};
    for (const Message& message : messages) one.messages.push_back(seen(me.now(), message));
    all.push_back(one);
  }
}

Task<> sum_until(Agent& me, Round last, const GossipRow& row, std::vector<double>& sums, std::vector<double>& mixes) {
  for (Round t = 1; t <= last; ++t) {
    me.report(t - 1);
    const Vector mine = scalar(10.0 * me.id() + static_cast<double>(t));
    const Vector sum = co_await me.neighbor_sum(mine);
    const Vector mix = co_await me.neighbor_mix(mine, row);
    sums.push_back(sum[0]);
    mixes.push_back(mix[0]);
  }
}

/// Agents 0 - 1 - 2; what each saw.
struct Line {
  Line(const WorldModel& model, Round last) : world(3, line({100, 100}), {.model = model}), saw(3) {
    for (AgentId a = 0; a < 3; ++a) world.spawn(a, exchange_until(world.agent(a), last, saw[a]));
    world.run();
  }
  std::vector<Time> ends(AgentId agent) const {
    std::vector<Time> all;
    for (const RoundSeen& one : saw[agent]) all.push_back(one.when);
    return all;
  }
  World world;
  std::vector<std::vector<RoundSeen>> saw;
};

using Slots = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("With skip an exchange goes on at its deadline without the message that was lost") {
  const Line run(with(MissingNeighborKind::skip, std::make_shared<LosesRounds>(2, std::vector<Round>{2})), 2);
  CHECK(run.ends(1) == std::vector{at(100), at(100 + 1000)});
  CHECK(run.ends(0) == std::vector{at(100), at(200)});
  CHECK(run.saw[1].at(1).messages == std::vector<Seen>{{at(1100), 0, 2}});
  CHECK(run.saw[1][1].absent == Slots{1});
  CHECK(run.world.ledger.agent(1).dropped == 1);
}

TEST_CASE("A message of a neighbor's next round says that no more is to be waited for") {
  const Line run(with(MissingNeighborKind::skip, std::make_shared<LosesRounds>(2, std::vector<Round>{2})), 3);
  // Agents 0 and 2 are in round 3 from 200 on, which agent 1 learns at 300; it has then all that it needs for round 3.
  CHECK(run.ends(1) == std::vector{at(100), at(300), at(300)});
  CHECK(run.ends(0) == std::vector{at(100), at(200), at(400)});
  CHECK(run.saw[1].at(1).messages == std::vector<Seen>{{at(300), 0, 2}});
  CHECK(run.saw[1][1].absent == Slots{1});
  CHECK(run.saw[1][0].absent.empty());
  CHECK(run.saw[1][2].absent.empty());
  CHECK(run.world.ledger.agent(1).dropped == 1);
  CHECK(run.world.ledger.agent(1).stale == 0);
  CHECK(run.world.ledger.total().dropped == 1);
}

TEST_CASE("A message with an empty body counts as arrived, and a lost one does not") {
  World world(3, line({100, 100}),
              {.model = with(MissingNeighborKind::skip, std::make_shared<LosesRounds>(2, std::vector<Round>{2}))});
  std::vector<std::size_t> came, gone_without;
  const auto program = [&](Agent& me) -> Task<> {
    for (Round t = 1; t <= 2; ++t) {
      me.report(t - 1);
      const auto messages = co_await me.exchange(Payload());
      if (me.id() == 1) came.push_back(messages.size());
      if (me.id() == 1) gone_without.push_back(me.absent().size());
    }
  };
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, program(world.agent(a)));
  world.run();
  CHECK(came == std::vector<std::size_t>{2, 1});
  CHECK(gone_without == std::vector<std::size_t>{0, 1});
}

TEST_CASE("With reuse_last the last value is used, and its age in rounds is counted") {
  const std::vector<Round> rounds{3, 4, 5, 7};
  const Line run(with(MissingNeighborKind::reuse_last, std::make_shared<LosesRounds>(2, rounds)), 8);
  // Agent 1 sees of agent 2 in rounds 1 .. 8 its values of rounds 1, 2, 2, 2, 2, 6, 6, 8.
  const std::vector<Round> expected{1, 2, 2, 2, 2, 6, 6, 8};
  REQUIRE(run.saw[1].size() == 8);
  for (std::size_t k = 0; k < 8; ++k) {
    const RoundSeen& one = run.saw[1][k];
    const Round age = one.round - expected[k];
    CHECK(one.messages.at(1) == Seen{one.when, 2, 20.0 + static_cast<double>(expected[k]), age});
    CHECK(one.absent.empty());  // a value is there
  }
  CHECK(run.world.ledger.staleness() == std::map<Round, std::int64_t>{{1, 2}, {2, 1}, {3, 1}});
  CHECK(run.world.ledger.agent(1).stale == 4);
  CHECK(run.world.ledger.agent(1).dropped == 4);
}

TEST_CASE("Without a last value nothing replaces a missing message") {
  const Line run(with(MissingNeighborKind::reuse_last, std::make_shared<LosesRounds>(2, std::vector<Round>{1})), 2);
  CHECK(run.saw[1].at(0).messages.size() == 1);
  CHECK(run.saw[1][0].absent == Slots{1});
  CHECK(run.world.ledger.total().stale == 0);
}

TEST_CASE("A message that arrives after its exchange is late, and may replace the next one") {
  for (const MissingNeighborKind kind : {MissingNeighborKind::skip, MissingNeighborKind::reuse_last}) {
    WorldModel model = with(kind, std::make_shared<LosesRounds>(2, std::vector<Round>{3}));
    model.faults.push_back(std::make_shared<Delays>(2, 2, span(1050)));  // sent at 100, there at 1250
    const Line run(model, 3);
    CHECK(run.ends(1) == std::vector{at(100), at(1100), at(2100)});
    CHECK(run.world.ledger.agent(1).late == 1);
    const bool reuses = kind == MissingNeighborKind::reuse_last;
    // in round 2 the value of round 1, in round 3 that of round 2, which has come by then
    CHECK(run.world.ledger.staleness() ==
          (reuses ? std::map<Round, std::int64_t>{{1, 2}} : std::map<Round, std::int64_t>{}));
    if (reuses) CHECK(run.saw[1].at(2).messages.at(1) == Seen{at(2100), 2, 22, 1});
  }
}

TEST_CASE("A lost message is waited for where nothing is skipped, and comes by its retransmission") {
  struct LosesFirstTry final : FaultRule {
    void judge(const Transmission& what, Fate& fate) const override {
      if (what.from == 2 && what.round == 2 && what.attempt == 0) fate.lost = Cause::loss;
    }
  };
  WorldModel model = with(MissingNeighborKind::wait, std::make_shared<LosesFirstTry>());
  model.repair.timeout = span(5000);
  const Line run(model, 3);
  // What comes at 5200 was sent at 100; of round 3 the others' messages have waited since 300.
  CHECK(run.ends(1) == std::vector{at(100), at(5200), at(5200)});
  CHECK(run.ends(2) == std::vector{at(100), at(200), at(5300)});
  CHECK(run.saw[1].at(1).messages == std::vector<Seen>{{at(5200), 0, 2}, {at(5200), 2, 22}});
  CHECK(run.world.ledger.total().dropped == 0);
}

TEST_CASE("Sums and mixes leave out absent neighbors") {
  WorldModel model = with(MissingNeighborKind::skip, std::make_shared<LosesRounds>(2, std::vector<Round>{2}));
  World world(3, line({100, 100}), {.model = model});
  const GossipRow end{.own = 0.5, .neighbors = {0.5}}, middle{.own = 0.25, .neighbors = {0.5, 0.125}};
  std::vector<double> sums[3], mixes[3];
  for (AgentId a = 0; a < 3; ++a)
    world.spawn(a, sum_until(world.agent(a), 3, a == 1 ? middle : end, sums[a], mixes[a]));
  world.run();
  CHECK(sums[1] == std::vector<double>{1 + 21, 2, 3 + 23});
  CHECK(mixes[1] ==
        std::vector{0.25 * 11 + 0.5 * 1 + 0.125 * 21, 0.25 * 12 + 0.5 * 2, 0.25 * 13 + 0.5 * 3 + 0.125 * 23});
  CHECK(sums[0] == std::vector<double>{11, 12, 13});
}

TEST_CASE("An agent that was left behind goes on with the round that its neighbors are in") {
  // Agent 2 is away until 10 us; the others skip it and have rounds of 1000 ns. What came meanwhile is lost.
  WorldModel model = with(MissingNeighborKind::skip, std::make_shared<IndependentLoss>(0));
  model.availability = without(3, {{.agent = 2, .from = at(0), .until = at(10'000)}});
  const Line run(model, 15);
  // Agent 1's exchange of round t ends at 1000 t. At 10000 it sends that of round 11, there at 10100: agent 2, in round
  // 1 since 10000, is told by it that agent 1 has moved on, and joins it in round 11.
  REQUIRE(run.saw[2].size() >= 2);
  CHECK(run.saw[2][0].round == 1);
  CHECK(run.saw[2][0].when == at(10'100));
  CHECK(run.saw[2][0].absent == Slots{0});
  CHECK(run.saw[2][1].round == 11);
  CHECK(run.saw[2][1].when == at(10'100));
  CHECK(run.saw[1].at(10).round == 11);
  CHECK(run.saw[1][10].when == at(10'200));  // with agent 2's message, sent at 10100
  CHECK(run.saw[1][10].absent.empty());
  CHECK(run.saw[1].back().round == 15);
  CHECK(run.saw[2].back().round == 15);
  CHECK(run.world.ledger.agent(1).late == 1);  // agent 2's message of round 1
  std::vector<Cause> why;
  for (const SimEvent& one : run.world.log.all)
    if (one.what == EventKind::dropped && one.agent == 2) why.push_back(one.cause);
  CHECK(why == std::vector{Cause::moved_on});
}

TEST_CASE("Messages of rounds that an agent leaves out are superseded") {
  // Agent 1 begins at 5500, when messages of rounds 1 to 6 have come. It takes that of round 1 and goes on with
  // round 6.
  World world(2, line({100}), {.model = with(MissingNeighborKind::skip, std::make_shared<IndependentLoss>(0))});
  std::vector<RoundSeen> early, late;
  const auto oversleep = [&](Agent& me) -> Task<> {
    co_await me.sleep(span(5500));
    co_await exchange_until(me, 7, late);
  };
  world.spawn(0, exchange_until(world.agent(0), 7, early));
  world.spawn(1, oversleep(world.agent(1)));
  world.run();
  REQUIRE(late.size() == 3);
  CHECK(late[0].messages == std::vector<Seen>{{at(5500), 0, 1}});
  CHECK(late[1].messages == std::vector<Seen>{{at(5500), 0, 6}});
  CHECK(world.ledger.agent(1).superseded == 4);
  REQUIRE(early.size() == 7);
  CHECK(early[4].messages.empty());
  CHECK(early[5].messages == std::vector<Seen>{{at(5600), 1, 16}});
  CHECK(world.ledger.agent(0).late == 1);  // that of round 1
}

}  // namespace lagnet::agent_loose_exchange_test
