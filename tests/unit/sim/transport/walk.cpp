#include "sim/transport/walk.hpp"

#include <catch2/catch.hpp>

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

}  // namespace lagnet::walk_test
