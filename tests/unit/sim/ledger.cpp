#include "sim/ledger.hpp"

#include <catch2/catch.hpp>

#include "sim/errors.hpp"
#include "tests/unit/sim/world.hpp"

using namespace lagnet;
using namespace lagnet::test;

namespace {

Occurrence message(What what, AgentId agent, AgentId peer, LinkId link, Bytes bytes) {
  return {.what = what, .agent = agent, .peer = peer, .link = link, .amount = bytes};
}
Occurrence lasting(What what, AgentId agent, std::int64_t amount, std::int64_t ns) {
  return {.what = what, .agent = agent, .peer = agent, .amount = amount, .duration = span(ns)};
}

}  // namespace

TEST_CASE("A message counts for its sender, its link, its receiver and the total") {
  Ledger ledger(2, 2);
  ledger.occurred(message(What::sent, 0, 1, 0, 80));
  CHECK(ledger.messages_in_flight() == 1);
  CHECK(ledger.agent(0).messages_sent == 1);
  CHECK(ledger.agent(0).bytes_sent == 80);
  CHECK(ledger.link(0).messages_sent == 1);
  CHECK(ledger.link(0).messages_delivered == 0);
  CHECK(ledger.agent(1).messages_received == 0);

  ledger.occurred(message(What::delivered, 1, 0, 0, 80));
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
    ledger.occurred(lasting(What::computed, agent, 100 + agent, 10));
    ledger.occurred(lasting(What::computed, agent, 50, 20));
    ledger.occurred(lasting(What::waited, agent, 0, 7));
    ledger.occurred(lasting(What::slept, agent, 0, 3));
    ledger.occurred(lasting(What::late, agent, 1, 0));
    ledger.occurred(lasting(What::superseded, agent, 1, 0));
    ledger.occurred(lasting(What::superseded, agent, 1, 0));
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

TEST_CASE("Hops are those of the longest chain, in total the longest of all agents") {
  Ledger ledger(2, 0);
  ledger.occurred(lasting(What::reported, 0, 5, 0));
  ledger.occurred(lasting(What::reported, 1, 9, 0));
  ledger.occurred(lasting(What::reported, 0, 4, 0));
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
}

TEST_CASE("More delivered than sent is an internal error") {
  Ledger ledger(2, 2);
  CHECK_THROWS_AS(ledger.occurred(message(What::delivered, 1, 0, 0, 80)), InternalError);
  Ledger bytes(2, 2);
  bytes.occurred(message(What::sent, 0, 1, 0, 80));
  CHECK_THROWS_AS(bytes.occurred(message(What::delivered, 1, 0, 0, 81)), InternalError);
}
