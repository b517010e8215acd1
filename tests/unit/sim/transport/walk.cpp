#include "sim/transport/walk.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/sim/world.hpp"

namespace lagnet::walk_test {

namespace {

using test::at;
using test::span;

/// 100 bytes take 100 ns through the interface of agent 0, 200 ns over a link, then 10 ns, and 400 ns into agent 1.
Network small() {
  std::vector<LinkSpec> links;
  for (AgentId to = 1; to <= 2; ++to) test::join(links, 0, to, 10, 0.5e9);
  return Network(3, links, {{1e9, 1e9}, {1e9, 0.25e9}, {1e9, 1e9}});
}

/// Of one of 100 bytes from agent 0: when it comes to the receiver's interface, and when it is through.
std::pair<Time, Time> way(Walk& walk, const Network& network, AgentId to) {
  Traveler it{.link = network.find(0, to), .from = 0, .to = to, .bytes = 100};
  walk.depart(it, at(0));
  REQUIRE(!walk.has_arrived(it));
  const Time there = walk.next(it);
  walk.enter(it);
  REQUIRE(walk.has_arrived(it));
  return {there, walk.next(it)};
}

}  // namespace

TEST_CASE("a message that is stored and forwarded passes one part of its path after the other") {
  const Network network = small();
  Walk walk(network, {.sharing = Sharing::fifo, .forwarding = Forwarding::store_and_forward});
  CHECK(walk.alone({.link = network.find(0, 1), .from = 0, .to = 1, .bytes = 100}, at(50)) == span(710));
  CHECK(way(walk, network, 1) == std::pair(at(310), at(710)));
  CHECK(way(walk, network, 2) == std::pair(at(410), at(510)));   // the interface is free at 100
  CHECK(way(walk, network, 1) == std::pair(at(510), at(1110)));  // the link is free at 300, the receiver at 710
}

TEST_CASE("a message that is cut through goes on from its first bit") {
  const Network network = small();
  Walk walk(network, {.sharing = Sharing::fifo, .forwarding = Forwarding::cut_through});
  CHECK(walk.alone({.link = network.find(0, 1), .from = 0, .to = 1, .bytes = 100}, at(50)) == span(410));
  CHECK(way(walk, network, 1) == std::pair(at(10), at(410)));
  CHECK(way(walk, network, 2) == std::pair(at(110), at(310)));  // the interface is free at 100
  // The interface is free at 200, the link at 200; the receiver has work until 410.
  CHECK(way(walk, network, 1) == std::pair(at(210), at(810)));
}

TEST_CASE("bits that wait at an interface hold up those behind them, wherever they go") {
  // Behind the interface of agent 0 nothing is limited on the way to agent 1.
  std::vector<LinkSpec> links;
  test::join(links, 0, 1, 10, std::numeric_limits<double>::infinity());
  test::join(links, 0, 2, 10, 0.5e9);
  const Network network(3, links, {{.up_bytes_per_s = 1e9}, {}, {.down_bytes_per_s = 1e9}});
  Walk walk(network, {.sharing = Sharing::fifo, .forwarding = Forwarding::cut_through});
  Traveler first{.link = network.find(0, 1), .from = 0, .to = 1, .bytes = 100};
  walk.depart(first, at(0));
  CHECK(walk.next(first) == at(110));
  CHECK(way(walk, network, 2) == std::pair(at(110), at(310)));
}

TEST_CASE("a stall keeps a message that is stored and forwarded from the receiver's interface") {
  const Network network = small();
  Walk walk(network, {.sharing = Sharing::fifo, .forwarding = Forwarding::store_and_forward});
  Traveler it{.link = network.find(0, 1), .from = 0, .to = 1, .bytes = 100, .stall = span(50)};
  CHECK(walk.alone(it, at(0)) == span(760));
  walk.depart(it, at(0));
  CHECK(walk.next(it) == at(360));
  walk.enter(it);
  CHECK(walk.next(it) == at(760));
}

TEST_CASE("of one transmission in a medium each receiver's interface takes the bits as they come") {
  // 96 bytes take 96 ns in the medium and then 10 ns; into agent 2 they take 384 ns from the first bit on.
  std::vector<LinkSpec> links;
  for (AgentId to = 1; to <= 2; ++to) test::join(links, 0, to, 10);
  Underlay cell;
  cell.media.push_back({.agents = {0, 1, 2}, .bandwidth_bytes_per_s = 1e9, .broadcasts_once = true});
  const std::vector<Interface> interfaces{{}, {}, {.down_bytes_per_s = 0.25e9}};
  test::World world(Network(3, links, interfaces, LinkDirections::both, cell), {.model = {.sharing = Sharing::fifo}});
  const auto send = [](Agent& me) -> Task<> {
    me.broadcast(0, Vector::Zero(12));
    co_await me.sleep(span(1000));
  };
  std::vector<test::Seen> got;
  world.spawn(0, send(world.agent(0)));
  for (AgentId a = 1; a <= 2; ++a) world.spawn_daemon(a, test::receive_forever(world.agent(a), got));
  world.run();
  CHECK(world.log.times(EventKind::delivered, 1) == std::vector{at(96 + 10)});
  CHECK(world.log.times(EventKind::delivered, 2) == std::vector{at(10 + 384)});
}

}  // namespace lagnet::walk_test
