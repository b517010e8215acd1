#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_fair_test {

using namespace lagnet::test;

/// Flows through one interface of 1 byte per ns under fair sharing. A message is a flow from its departure + latency
/// on.
namespace {

constexpr double unit = 1e9;  // bytes/s: one byte a nanosecond

Task<> wait_for(Agent& me, int messages) {
  for (int k = 0; k < messages; ++k) co_await me.receive();
}

struct Fan {
  /// Agent 0 sends to agents 1, 2, ... over links with these latencies; their entries and the links bind nothing.
  Fan(const std::vector<std::int64_t>& latencies_ns, const std::vector<Departure>& departures)
      : world(network(latencies_ns), {.model = {.sharing = Sharing::fair}}) {
    std::vector<int> expected(latencies_ns.size() + 1);
    for (const Departure& one : departures) ++expected[one.to];
    world.spawn(0, send_at(world.agent(0), departures));
    for (AgentId a = 1; a < expected.size(); ++a) world.spawn(a, wait_for(world.agent(a), expected[a]));
    world.run();
  }
  static Network network(const std::vector<std::int64_t>& latencies_ns) {
    std::vector<Interface> interfaces(latencies_ns.size() + 1);
    interfaces[0].up_bytes_per_s = unit;
    return Network(static_cast<AgentId>(interfaces.size()), star(latencies_ns), interfaces);
  }
  std::vector<Time> arrivals(AgentId agent) const { return world.log.times(EventKind::delivered, agent); }
  World world;
};

}  // namespace

TEST_CASE("A second message over an interface halves the first one's rate until the first arrives") {
  // 6000 bytes flow from 100, 3000 bytes from 2100. Alone until then: 4000 left. Both at half: the second takes 6000,
  // to 8100, where the first has 1000 left.
  const Fan fan({100, 100}, {{0, 1, 750}, {2000, 2, 375}});
  CHECK(fan.arrivals(1) == std::vector{at(9100)});
  CHECK(fan.arrivals(2) == std::vector{at(8100)});
  CHECK(fan.world.ledger.agent(0).queueing == span((9100 - 100 - 6000) + (6000 - 3000)));
  CHECK(fan.world.ledger.link(0).queueing == span(9100 - 100 - 6000));
}

TEST_CASE("Three messages over one interface have a third each while all are on their way") {
  // 12000 bytes from 0, 6000 from 3000, 2000 from 6000 (and 100 of latency). Left at 3000: 9000; at 6000: 7500 and
  // 4500; the third takes 6000 at a third, left then: 5500 and 2500; the second takes 5000 at half, left: 3000.
  const Fan fan({100, 100, 100}, {{0, 1, 1500}, {3000, 2, 750}, {6000, 3, 250}});
  CHECK(fan.arrivals(3) == std::vector{at(12'100)});
  CHECK(fan.arrivals(2) == std::vector{at(17'100)});
  CHECK(fan.arrivals(1) == std::vector{at(20'100)});
}

namespace {

/// Messages of 50 kB, agents 0 and 1 to 2 and 3, over a medium of 2.5 MB/s: when they come.
std::vector<Time> over_medium(double first_radio, double second_radio, bool relays) {
  std::vector<LinkSpec> links;
  join(links, 0, 2, 1'000'000, first_radio);
  join(links, 1, 3, 1'000'000, second_radio);
  Underlay cell;
  cell.media.push_back({.agents = {0, 1, 2, 3}, .bandwidth_bytes_per_s = 2.5e6, .relays = relays});
  World world(Network(4, links, {}, LinkDirections::both, cell), {.model = {.sharing = Sharing::fair}});
  for (const AgentId a : {0U, 1U}) world.spawn(a, send_at(world.agent(a), {{0, a + 2, 6250}}));
  for (const AgentId a : {2U, 3U}) world.spawn(a, wait_for(world.agent(a), 1));
  world.run();
  return world.log.times(EventKind::delivered);
}

}  // namespace

TEST_CASE("a slow pair takes more of a medium, so that the others are as slow as it is") {
  // A byte of the pair with 1.25 MB/s uses two: 0.8333 MB/s each, since 0.8333 (1 + 2) = 2.5; 60 ms, and 1 of latency.
  CHECK(over_medium(2.5e6, 1.25e6, false) == std::vector{at(61'000'000), at(61'000'000)});
  CHECK(over_medium(10e6, 10e6, false) == std::vector{at(41'000'000), at(41'000'000)});
  CHECK(over_medium(10e6, 10e6, true) == std::vector{at(81'000'000), at(81'000'000)});
}

TEST_CASE("A message shares an interface only when its latency has passed") {
  // The flows of the case before, by latencies instead of departures.
  const Fan fan({0, 3000, 6000}, {{0, 1, 1500}, {0, 2, 750}, {0, 3, 250}});
  CHECK(fan.arrivals(3) == std::vector{at(12'000)});
  CHECK(fan.arrivals(2) == std::vector{at(17'000)});
  CHECK(fan.arrivals(1) == std::vector{at(20'000)});
}

TEST_CASE("A message that flows when the others are through is not slowed by them") {
  const Fan fan({100, 5000}, {{0, 1, 500}, {0, 2, 500}});  // 100 to 4100, 5000 to 9000
  CHECK(fan.arrivals(1) == std::vector{at(4100)});
  CHECK(fan.arrivals(2) == std::vector{at(9000)});
  CHECK(fan.world.ledger.total().queueing == Duration());
}

TEST_CASE("Two messages over one link share it like an interface, and other links go on undisturbed") {
  // Agent 0 sends 4000 and 2000 bytes to agent 1 over a link of 1 byte/ns: half each until 4000, then 2000 bytes are
  // left. Its message to agent 2 has a link of its own.
  std::vector<LinkSpec> links;
  join(links, 0, 1, 0, unit);
  join(links, 0, 2, 0, unit);
  for (const bool in_order : {false, true}) {
    World world(3, links, {.model = {.sharing = Sharing::fair, .in_order = in_order}});
    world.spawn(0, send_at(world.agent(0), {{0, 1, 500}, {0, 1, 250}, {0, 2, 500}}));
    world.spawn(1, wait_for(world.agent(1), 2));
    world.spawn(2, wait_for(world.agent(2), 1));
    world.run();
    // In order the second one over the link is handed over with the first.
    CHECK(world.log.times(EventKind::delivered, 1) == std::vector{at(in_order ? 6000 : 4000), at(6000)});
    CHECK(world.log.times(EventKind::delivered, 2) == std::vector{at(4000)});
  }
}

TEST_CASE("A lost message takes its share of the interface all the same") {
  struct LosesRoundOne final : FaultRule {
    void judge(const Transmission& what, Fate& fate) const override {
      if (what.round == 1) fate.lost = Cause::loss;
    }
  };
  std::vector<Interface> interfaces(3);
  interfaces[0].up_bytes_per_s = unit;
  SimulationOptions options{.model = {.sharing = Sharing::fair}};
  options.model.faults.push_back(std::make_shared<LosesRoundOne>());
  World world(Network(3, star({100, 100}), interfaces), options);
  world.spawn(0, send_at(world.agent(0), {{0, 1, 750}, {2000, 2, 375}}));
  world.spawn(1, wait_for(world.agent(1), 1));
  world.run();
  CHECK(world.log.times(EventKind::delivered) == std::vector{at(9100)});  // as where both arrive
  CHECK(world.log.times(EventKind::lost) == std::vector{at(8100)});
}

TEST_CASE("A transfer beyond all simulated time ends the run, and is not a deadlock") {
  std::vector<Interface> interfaces(2);
  interfaces[0].up_bytes_per_s = 1e-9;  // 8 bytes take 253 years, another 8 bytes at the same time twice as long
  World world(Network(2, line({100}), interfaces), {.model = {.sharing = Sharing::fair}});
  world.spawn(0, send_at(world.agent(0), {{0, 1, 1}, {0, 1, 1}}));
  world.spawn(1, wait_for(world.agent(1), 2));
  CHECK(world.run().reason == EndReason::time_ends);
}

}  // namespace lagnet::transport_fair_test
