#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_duplication_test {

using namespace lagnet::test;

/// An algorithm sees a message once, however often the network delivers it, in every way of receiving. Agent 1 sends to
/// agent 0 over 100 ns; every message has a copy.
namespace {

/// Treats the two transmissions of each message: the first sent has an even ordinal, its copy an odd one.
struct Pairs final : FaultRule {
  Pairs(Duration first, Duration copy, bool loses_first = false) : delays{first, copy}, loses(loses_first) {}
  void judge(const Transmission& what, Fate& fate) const override {
    fate.twice = true;
    fate.delay = delays[what.ordinal % 2];
    if (loses && what.ordinal % 2 == 0 && what.attempt == 0) fate.lost = Cause::loss;
  }
  std::array<Duration, 2> delays;
  bool loses;
};

WorldModel pairs(std::int64_t first_delay, std::int64_t copy_delay, bool loses_first = false) {
  WorldModel model{.in_order = false};
  model.faults = {std::make_shared<Pairs>(span(first_delay), span(copy_delay), loses_first)};
  return model;
}

/// A round every 1000 ns.
Task<> send_rounds(Agent& me, Round rounds) {
  for (Round t = 0; t < rounds; ++t) {
    me.send(0, t, scalar(static_cast<double>(t)));
    co_await me.sleep(span(1000));
  }
}

Task<> collect_rounds(Agent& me, Round rounds, Duration busy, std::vector<Seen>& got) {
  const std::vector<AgentId> cohort{1};
  for (Round t = 0; t < rounds; ++t) {
    const auto messages = co_await me.collect(t, cohort);
    for (const Message& message : messages) got.push_back(seen(me.now(), message));
    co_await me.sleep(busy);
  }
}

Task<> exchange_rounds(Agent& me, Round rounds, std::vector<Seen>& got) {
  for (Round t = 0; t < rounds; ++t) {
    const Vector mine = scalar(static_cast<double>(t));
    const auto messages = co_await me.exchange(mine);
    for (const Message& message : messages) got.push_back(seen(me.now(), message));
    me.report(t);
  }
}

Task<> receive_latest_forever(Agent& me, std::vector<Seen>& got) {
  for (;;) {
    const Message message = co_await me.receive_latest();
    got.push_back(seen(me.now(), message));
    co_await me.sleep(span(50));
  }
}

std::vector<double> values(const std::vector<Seen>& got) {
  std::vector<double> all;
  for (const Seen& one : got) all.push_back(one.value);
  return all;
}

const std::vector<double> each_once{0, 1, 2, 3};

/// Copies that come with, after and before what they are copies of.
const std::vector<WorldModel> orders{pairs(0, 0), pairs(0, 300), pairs(300, 0)};

}  // namespace

TEST_CASE("Every message and its copy is sent and billed, and the copy says why") {
  World world(2, line({100}), {.model = {.faults = {std::make_shared<Duplication>(1)}}});
  world.spawn(0, only_sleep(world.agent(0), span(10'000)));
  world.spawn(1, send_rounds(world.agent(1), 4));
  world.run();
  CHECK(world.ledger.agent(1).messages_sent == 8);
  CHECK(world.ledger.agent(1).bytes_sent == 8 * 8);
  CHECK(world.ledger.agent(0).messages_received == 8);
  CHECK(world.ledger.agent(0).duplicates == 4);
  std::int64_t copies = 0;
  for (const SimEvent& one : world.log.all)
    copies += one.what == EventKind::sent && one.cause == Cause::duplication ? 1 : 0;
  CHECK(copies == 4);
}

TEST_CASE("receive gives a message once") {
  for (const WorldModel& model : orders) {
    World world(2, line({100}), {.model = model});
    std::vector<Seen> got;
    world.spawn_daemon(0, receive_forever(world.agent(0), got));
    world.spawn(1, send_rounds(world.agent(1), 4));
    world.run();
    CHECK(values(got) == each_once);
    CHECK(got.at(0).when == at(100));  // the sooner one
    CHECK(world.ledger.agent(0).duplicates == 4);
  }
}

TEST_CASE("receive_latest returns a message once, and its copy is not a newer message") {
  for (const WorldModel& model : orders) {
    World world(2, line({100}), {.model = model});
    std::vector<Seen> got;
    world.spawn_daemon(0, receive_latest_forever(world.agent(0), got));
    world.spawn(1, send_rounds(world.agent(1), 4));
    world.run();
    CHECK(values(got) == each_once);
    CHECK(world.ledger.agent(0).superseded == 0);
    CHECK(world.ledger.agent(0).duplicates == 4);
  }
}

TEST_CASE("A collection gives a message once, and its copy is a duplicate whenever it comes") {
  for (const WorldModel& model : orders)
    for (const std::int64_t busy : {0, 600}) {
      World world(2, line({100}), {.model = model});
      std::vector<Seen> got;
      world.spawn(0, collect_rounds(world.agent(0), 4, span(busy), got));
      world.spawn(1, send_rounds(world.agent(1), 4));
      world.run();
      CHECK(values(got) == each_once);
      CHECK(got.at(0).when == at(100));
      CHECK(world.ledger.agent(0).duplicates == 4);
      CHECK(world.ledger.agent(0).late == 0);
    }
}

TEST_CASE("An exchange takes a message once") {
  for (const MissingNeighborKind kind : {MissingNeighborKind::wait, MissingNeighborKind::skip})
    for (WorldModel model : orders) {
      model.missing = {.kind = kind, .deadline = span(5000)};
      World world(2, line({100}), {.model = model});
      std::vector<Seen> got, others;
      world.spawn(0, exchange_rounds(world.agent(0), 4, got));
      world.spawn(1, exchange_rounds(world.agent(1), 4, others));
      world.run();
      CHECK(values(got) == each_once);
      CHECK(values(others) == each_once);
      for (const Time end : world.log.times(EventKind::reported)) CHECK(end.ns() % 100 == 0);
      CHECK(world.log.times(EventKind::reported, 0).back() == at(400));  // as fast as the sooner ones
      CHECK(world.ledger.total().late == 0);
    }
}

TEST_CASE("A copy replaces a lost message, which then need not be sent again") {
  for (const bool exchanging : {false, true}) {
    WorldModel model = pairs(0, 300, true);
    model.repair.timeout = span(2000);
    World world(2, line({100}), {.model = model});
    std::vector<Seen> got, others;
    if (exchanging) {
      world.spawn(0, exchange_rounds(world.agent(0), 4, got));
      world.spawn(1, exchange_rounds(world.agent(1), 4, others));
    } else {
      world.spawn(0, collect_rounds(world.agent(0), 4, span(5000), got));
      world.spawn(1, send_rounds(world.agent(1), 4));
    }
    world.run();
    CHECK(values(got) == each_once);
    CHECK(got.at(0).when == at(400));
    CHECK(world.ledger.total().retransmitted == 0);
    CHECK(world.ledger.total().duplicates == 0);
    CHECK(world.ledger.total().messages_lost == (exchanging ? 8 : 4));
  }
}

TEST_CASE("A retransmission that comes after a copy is a duplicate") {
  WorldModel model = pairs(0, 3000, true);  // the copy is still on its way at the timeout, and comes after
  model.repair.timeout = span(1000);
  World world(2, line({100}), {.model = model});
  std::vector<Seen> got;
  world.spawn_daemon(0, receive_forever(world.agent(0), got));
  world.spawn(1, send_at(world.agent(1), {{0, 0, 1}, {9000, 0, 1}}));
  world.run();
  CHECK(got == std::vector<Seen>{{at(1100), 1, 0}});
  CHECK(world.ledger.agent(0).duplicates == 1);
  CHECK(world.ledger.agent(1).retransmitted == 1);
}

namespace {

/// Writes down which message of its round each transmission is.
struct Ordinals final : FaultRule {
  void judge(const Transmission& what, Fate&) const override { seen.emplace_back(what.round, what.ordinal); }
  bool loses() const override { return false; }
  mutable std::vector<std::pair<Round, std::uint32_t>> seen;
};

Task<> send_seven_rounds_three_times(Agent& me) {
  for (int pass = 0; pass < 3; ++pass)
    for (Round t = 0; t < 7; ++t) me.send(0, t, scalar(0));
  co_await me.sleep(span(1000));
}

}  // namespace

TEST_CASE("No two messages of a round over a link have one fate, however many rounds are on it at once") {
  const auto rule = std::make_shared<Ordinals>();
  World world(2, line({100}), {.model = {.faults = {rule}}});
  world.spawn(0, only_sleep(world.agent(0), span(10'000)));
  world.spawn(1, send_seven_rounds_three_times(world.agent(1)));
  world.run();
  REQUIRE(rule->seen.size() == 21);
  CHECK(std::set(rule->seen.begin(), rule->seen.end()).size() == 21);
  for (Round t = 0; t < 7; ++t) CHECK(rule->seen[static_cast<std::size_t>(t)] == std::pair(t, 0U));
}

}  // namespace lagnet::transport_duplication_test
