#include "sim/accounts/ledger.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "sim/base/draws.hpp"
#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::ledger_test {

using namespace lagnet::test;

namespace {

SimEvent message(EventKind what, AgentId agent, AgentId peer, LinkId link, Bytes bytes) {
  return {.what = what, .agent = agent, .peer = peer, .link = link, .amount = bytes};
}
SimEvent lasting(EventKind what, AgentId agent, std::int64_t amount, std::int64_t ns) {
  return {.what = what, .agent = agent, .peer = agent, .amount = amount, .duration = span(ns)};
}

}  // namespace

TEST_CASE("Ages are counted whatever their order, however many come") {
  AgeCounts counts;
  std::map<std::int64_t, std::int64_t> want;
  const auto counted = [&counts] {
    std::map<std::int64_t, std::int64_t> all{{-7, 1}};
    counts.add_to(all);
    return all;
  };
  CHECK(counts.empty());
  Draws draws(3, Purpose{"ages"});
  for (int n = 0; n < 3000; ++n) {
    const auto age = static_cast<std::int64_t>(draws.below(n < 100 ? 3 : 400)) - 1;
    counts.add(age);
    ++want[age];
    if (n % 97 == 0 || n < 40) {
      auto with_what_was_there = want;
      with_what_was_there[-7] = 1;
      CHECK(counted() == with_what_was_there);
    }
  }
  CHECK_FALSE(counts.empty());
  std::map<std::int64_t, std::int64_t> all;
  counts.add_to(all);
  CHECK(all == want);
}

TEST_CASE("A message counts for its sender, its link, its receiver and the total") {
  Ledger ledger(2, 2);
  ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
  CHECK(ledger.messages_in_flight() == 1);
  CHECK(ledger.agent(0).messages_sent == 1);
  CHECK(ledger.agent(0).bytes_sent == 80);
  CHECK(ledger.link(0).messages_sent == 1);
  CHECK(ledger.link(0).messages_delivered == 0);
  CHECK(ledger.agent(1).messages_received == 0);

  ledger.on_event(message(EventKind::delivered, 1, 0, 0, 80));
  CHECK(ledger.messages_in_flight() == 0);
  CHECK(ledger.agent(1).messages_received == 1);
  CHECK(ledger.agent(1).bytes_received == 80);
  CHECK(ledger.link(0).messages_delivered == 1);
  CHECK(ledger.link(0).bytes_delivered == 80);
  CHECK(ledger.link(1).messages_sent == 0);
  CHECK(ledger.total().bytes_sent == 80);
  CHECK(ledger.total().bytes_received == 80);
}

TEST_CASE("Flops, times and dropped messages add up for each agent and in total") {
  Ledger ledger(2, 0);
  for (const AgentId agent : {0u, 1u}) {
    ledger.on_event(lasting(EventKind::computed, agent, 100 + agent, 10));
    ledger.on_event(lasting(EventKind::computed, agent, 50, 20));
    ledger.on_event(lasting(EventKind::waited, agent, 0, 7));
    ledger.on_event(lasting(EventKind::slept, agent, 0, 3));
    ledger.on_event(lasting(EventKind::late, agent, 1, 0));
    ledger.on_event(lasting(EventKind::superseded, agent, 1, 0));
    ledger.on_event(lasting(EventKind::superseded, agent, 1, 0));
  }
  CHECK(ledger.agent(1).flops == 151);
  CHECK(ledger.agent(1).computing == span(30));
  CHECK(ledger.agent(1).idle == span(7));
  CHECK(ledger.agent(1).sleeping == span(3));
  CHECK(ledger.agent(1).late == 1);
  CHECK(ledger.agent(1).superseded == 2);
  CHECK(ledger.total().flops == 301);
  CHECK(ledger.total().computing == span(60));
  CHECK(ledger.total().idle == span(14));
  CHECK(ledger.total().sleeping == span(6));
  CHECK(ledger.total().late == 2);
  CHECK(ledger.total().superseded == 4);
}

TEST_CASE("A snapshot of the accounts excludes later events") {
  Ledger ledger(3, 2);
  ledger.keep(Time());
  ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
  SimEvent computed = lasting(EventKind::computed, 1, 5, 60);
  computed.at = at(10);
  ledger.on_event(computed);
  CHECK(ledger.kept_totals().total.messages_sent == 0);
  CHECK(ledger.kept_totals().total.flops == 0);
  ledger.keep(at(30));  // a third of that computation is over
  const auto want = ledger.agent_at(1, at(30));
  for (int n = 0; n < 3; ++n) {
    ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
    ledger.on_event(message(EventKind::lost, 0, 1, 0, 80));
    ledger.on_event(computed);
    const Ledger::Totals kept = ledger.kept_totals();
    CHECK(kept.total.messages_sent == 1);
    CHECK(kept.total.messages_lost == 0);
    CHECK(kept.total.computing == span(20));
    CHECK(kept.total.computing == want.computing);
    CHECK(kept.total.flops == want.flops);
    CHECK(kept.flops_per_agent_max == want.flops);
  }
  ledger.keep(at(300));
  CHECK(ledger.kept_totals().total.messages_lost == 3);
  CHECK(ledger.kept_totals().total.flops == 4 * want.flops);
}

TEST_CASE("A lost transmission counts for its sender and its link and is in flight no more") {
  Ledger ledger(2, 2);
  ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
  ledger.on_event(message(EventKind::sent, 0, 1, 0, 8));
  ledger.on_event(message(EventKind::lost, 0, 1, 0, 80));
  CHECK(ledger.messages_in_flight() == 1);
  CHECK(ledger.agent(0).messages_lost == 1);
  CHECK(ledger.agent(0).bytes_lost == 80);
  CHECK(ledger.agent(1).messages_lost == 0);
  CHECK(ledger.link(0).messages_lost == 1);
  CHECK(ledger.link(0).bytes_lost == 80);
  CHECK(ledger.link(0).messages_delivered == 0);
  CHECK(ledger.link(1).messages_lost == 0);
  CHECK(ledger.total().messages_lost == 1);
  CHECK(ledger.total().bytes_lost == 80);
}

TEST_CASE("A retransmission and a copy count as sent, and only the first as sent again") {
  Ledger ledger(2, 2);
  SimEvent again = message(EventKind::sent, 0, 1, 1, 80);
  for (const Cause cause : {Cause::none, Cause::retransmission, Cause::retransmission, Cause::duplication}) {
    again.cause = cause;
    ledger.on_event(again);
  }
  CHECK(ledger.agent(0).messages_sent == 4);
  CHECK(ledger.agent(0).bytes_sent == 320);
  CHECK(ledger.agent(0).retransmitted == 2);
  CHECK(ledger.link(1).messages_sent == 4);
  CHECK(ledger.link(1).bytes_sent == 320);
  CHECK(ledger.link(1).retransmitted == 2);
  CHECK(ledger.total().retransmitted == 2);
  CHECK(ledger.agent(1).messages_sent == 0);
  CHECK(ledger.link(0).messages_sent == 0);
}

TEST_CASE("A message's waits are billed to whose queues they were in, the rest of its way to its receiver") {
  Ledger ledger(3, 2);
  for (const AgentId from : {0u, 1u}) {
    ledger.on_event(message(EventKind::sent, from, 2, from, 80));
    SimEvent came = message(EventKind::delivered, 2, from, from, 80);
    came.duration = span(100 + from);
    came.queued = span(30 + 2 * from);
    came.queued_there = span(12);
    ledger.on_event(came);
  }
  CHECK(ledger.agent(2).queueing == span(12 + 12));
  CHECK(ledger.agent(1).queueing == span(20));
  CHECK(ledger.agent(2).transferring == span(70 + 69));
  CHECK(ledger.agent(0).queueing == span(18));
  CHECK(ledger.link(0).queueing == span(30));
  CHECK(ledger.link(0).transferring == span(70));
  CHECK(ledger.link(1).queueing == span(32));
  CHECK(ledger.link(1).transferring == span(69));
  CHECK(ledger.total().queueing == span(62));
  CHECK(ledger.total().transferring == span(139));
}

TEST_CASE("A lost message adds to no agent's queueing or transfer") {
  Ledger ledger(2, 1);
  ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
  SimEvent lost = message(EventKind::lost, 0, 1, 0, 80);
  lost.duration = span(50);
  lost.queued = span(20);
  ledger.on_event(lost);
  CHECK(ledger.total().queueing == Duration());
  CHECK(ledger.total().transferring == Duration());
  CHECK(ledger.link(0).queueing == Duration());
  CHECK(ledger.link(0).transferring == Duration());
}

TEST_CASE("Discarded, dropped and stale messages count for the agent that did so, and by their age") {
  Ledger ledger(2, 0);
  ledger.on_event(lasting(EventKind::duplicate, 1, 1, 0));
  for (int k = 0; k < 2; ++k) ledger.on_event(lasting(EventKind::dropped, 1, 1, 0));
  for (const Round age : {1, 4, 1}) ledger.on_event(lasting(EventKind::stale, 1, age, 0));
  ledger.on_event(lasting(EventKind::stale, 0, 4, 0));
  CHECK(ledger.agent(1).duplicates == 1);
  CHECK(ledger.agent(1).dropped == 2);
  CHECK(ledger.agent(1).stale == 3);
  CHECK(ledger.agent(0).stale == 1);
  CHECK(ledger.agent(0).duplicates == 0);
  CHECK(ledger.agent(0).dropped == 0);
  CHECK(ledger.total().stale == 4);
  CHECK(ledger.staleness() == std::map<Round, std::int64_t>{{1, 2}, {4, 2}});
}

TEST_CASE("Encrypting and being away are times of their own, and scalars are no flops") {
  Ledger ledger(2, 0);
  ledger.on_event(lasting(EventKind::encrypted, 0, 1000, 40));
  ledger.on_event(lasting(EventKind::encrypted, 1, 10, 2));
  ledger.on_event(lasting(EventKind::away, 1, 0, 5));
  CHECK(ledger.agent(0).encrypting == span(40));
  CHECK(ledger.agent(1).encrypting == span(2));
  CHECK(ledger.agent(1).away == span(5));
  CHECK(ledger.total().encrypting == span(42));
  CHECK(ledger.total().away == span(5));
  CHECK(ledger.total().flops == 0);
  CHECK(ledger.total().computing == Duration());
  CHECK(ledger.total().sleeping == Duration());
}

TEST_CASE("The end of a collection changes no account, and a restart changes no finished activity") {
  Ledger ledger(1, 0);
  ledger.on_event(lasting(EventKind::collected, 0, 7, 9));
  ledger.on_event(lasting(EventKind::restarted, 0, 7, 9));
  const AgentAccount& all = ledger.total();
  CHECK(all.messages_sent + all.messages_received + all.messages_lost + all.late + all.dropped + all.stale == 0);
  CHECK(all.flops + all.hops + all.duplicates + all.superseded + all.retransmitted == 0);
  CHECK(all.computing + all.encrypting + all.idle + all.sleeping + all.away == Duration());
}

TEST_CASE("Answers of agents with successive numbers are counted for each of them") {
  Ledger ledger(5, 0);
  CHECK(ledger.answers() == std::vector<std::int64_t>(5));
  const auto count = [&ledger](AgentId first, std::int64_t agents) {
    ledger.on_event({.what = EventKind::counted, .agent = 0, .peer = first, .amount = agents});
  };
  count(1, 4);
  count(1, 2);
  count(4, 1);
  count(2, 2);
  CHECK(ledger.answers() == std::vector<std::int64_t>{0, 2, 3, 2, 2});
}

TEST_CASE("Hops are those of the longest chain, in total the longest of all agents") {
  Ledger ledger(2, 0);
  ledger.on_event(lasting(EventKind::reported, 0, 5, 0));
  ledger.on_event(lasting(EventKind::reported, 1, 9, 0));
  ledger.on_event(lasting(EventKind::reported, 0, 4, 0));
  CHECK(ledger.agent(0).hops == 5);
  CHECK(ledger.agent(1).hops == 9);
  CHECK(ledger.total().hops == 9);
}

TEST_CASE("The sum of two accounts adds everything but hops, of which it has the larger") {
  AgentAccount a;
  a.messages_sent = 1;
  a.messages_received = 2;
  a.bytes_sent = 3;
  a.bytes_received = 4;
  a.flops = 5;
  a.computing = span(6);
  a.idle = span(7);
  a.sleeping = span(8);
  a.late = 9;
  a.superseded = 10;
  a.hops = 11;
  a.messages_lost = 12;
  a.retransmitted = 13;
  a.bytes_lost = 14;
  a.duplicates = 15;
  a.dropped = 16;
  a.stale = 17;
  a.encrypting = span(18);
  a.away = span(19);
  a.queueing = span(20);
  a.transferring = span(21);
  AgentAccount twice = a;
  twice += a;
  CHECK(twice.messages_sent == 2);
  CHECK(twice.messages_received == 4);
  CHECK(twice.bytes_sent == 6);
  CHECK(twice.bytes_received == 8);
  CHECK(twice.flops == 10);
  CHECK(twice.computing == span(12));
  CHECK(twice.idle == span(14));
  CHECK(twice.sleeping == span(16));
  CHECK(twice.late == 18);
  CHECK(twice.superseded == 20);
  CHECK(twice.hops == 11);
  CHECK(twice.messages_lost == 24);
  CHECK(twice.retransmitted == 26);
  CHECK(twice.bytes_lost == 28);
  CHECK(twice.duplicates == 30);
  CHECK(twice.dropped == 32);
  CHECK(twice.stale == 34);
  CHECK(twice.encrypting == span(36));
  CHECK(twice.away == span(38));
  CHECK(twice.queueing == span(40));
  CHECK(twice.transferring == span(42));
}

TEST_CASE("A link that delivers and loses more than was sent over it is an internal error") {
  Ledger nothing_sent(2, 2);
  CHECK_THROWS_AS(nothing_sent.on_event(message(EventKind::delivered, 1, 0, 0, 80)), InternalError);
  Ledger none_lost(2, 2);
  CHECK_THROWS_AS(none_lost.on_event(message(EventKind::lost, 0, 1, 0, 80)), InternalError);
  Ledger bytes(2, 2);
  bytes.on_event(message(EventKind::sent, 0, 1, 0, 80));
  CHECK_THROWS_AS(bytes.on_event(message(EventKind::delivered, 1, 0, 0, 81)), InternalError);
  Ledger bytes_lost(2, 2);
  bytes_lost.on_event(message(EventKind::sent, 0, 1, 0, 80));
  CHECK_THROWS_AS(bytes_lost.on_event(message(EventKind::lost, 0, 1, 0, 81)), InternalError);
}

TEST_CASE("A message that is delivered and lost is an internal error") {
  for (const bool lost_first : {true, false}) {
    Ledger ledger(2, 2);
    ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
    SimEvent lost = message(EventKind::lost, 0, 1, 0, 80), came = message(EventKind::delivered, 1, 0, 0, 80);
    ledger.on_event(lost_first ? lost : came);
    CHECK_THROWS_AS(ledger.on_event(lost_first ? came : lost), InternalError);
  }
}

TEST_CASE("Messages of one link do not compensate for another") {
  Ledger ledger(2, 2);
  ledger.on_event(message(EventKind::sent, 0, 1, 0, 80));
  CHECK_THROWS_AS(ledger.on_event(message(EventKind::lost, 0, 1, 1, 80)), InternalError);
}

TEST_CASE("An account at a time excludes the rest of an activity, and the end removes it everywhere") {
  Ledger ledger(2, 0, without(2, {{.agent = 0, .from = at(600), .until = at(1100)}}));
  ledger.on_event(lasting(EventKind::computed, 0, 70, 1000));  // from 0 to 600 and from 1100 to 1500
  ledger.on_event(lasting(EventKind::away, 0, 0, 500));
  ledger.on_event(lasting(EventKind::slept, 1, 0, 300));
  CHECK(ledger.agent(0).computing == span(1000));
  CHECK(ledger.agent_at(0, at(400)).computing == span(400));
  CHECK(ledger.agent_at(0, at(400)).away == Duration());
  CHECK(ledger.agent_at(0, at(1000)).computing == span(600));
  CHECK(ledger.agent_at(0, at(1000)).away == span(400));
  CHECK(ledger.agent_at(0, at(1500)).computing == span(1000));
  CHECK(ledger.agent_at(0, at(5000)).computing == span(1000));
  CHECK(ledger.agent_at(0, at(5000)).away == span(500));
  CHECK(ledger.agent_at(0, at(400)).flops == 70);  // counted when they are begun

  ledger.end_at(at(1200));
  CHECK(ledger.agent(0).computing == span(700));
  CHECK(ledger.agent(1).sleeping == span(300));
  CHECK(ledger.total().computing == span(700));
  CHECK(ledger.total().sleeping == span(300));
}

TEST_CASE("An activity longer than all simulated time leaves earlier ones in the account") {
  Ledger ledger(1, 0);
  ledger.on_event(lasting(EventKind::computed, 0, 70, 500));
  SimEvent endless = lasting(EventKind::computed, 0, 70, Duration::longest().ns());
  endless.at = at(500);
  ledger.on_event(endless);
  CHECK(ledger.agent_at(0, at(800)).computing == span(800));
  ledger.end_at(at(900));
  CHECK(ledger.agent(0).computing == span(900));
}

}  // namespace lagnet::ledger_test
