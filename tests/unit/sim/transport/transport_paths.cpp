#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_paths_test {

using namespace lagnet::test;

namespace {

Task<> exchange_rounds(Agent& me, int rounds) {
  const Vector mine = Vector::Ones(125);
  for (Round t = 1; t <= rounds; ++t) {
    co_await me.exchange(mine);
    me.report(t);
  }
}

constexpr AgentId around = 6;
constexpr int exchanges = 5;

/// Exchanges of 1000 bytes on a ring: latency 5000 ns; over an agent's exit 5000 ns, the link 4000 ns, the entry 1000
/// ns when alone.
std::vector<std::vector<Time>> ends_of_exchanges(const WorldModel& model) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < around; ++a) join(links, a, (a + 1) % around, 5000, 0.25e9);
  const std::vector<Interface> interfaces(around, {.up_bytes_per_s = 0.2e9, .down_bytes_per_s = 1e9});
  World world(Network(around, links, interfaces), {.model = model});
  for (AgentId a = 0; a < around; ++a) world.spawn(a, exchange_rounds(world.agent(a), exchanges));
  world.run();
  std::vector<std::vector<Time>> ends;
  for (AgentId a = 0; a < around; ++a) ends.push_back(world.log.times(EventKind::reported, a));
  return ends;
}

std::vector<std::vector<Time>> all_end_every(std::int64_t ns) {
  std::vector<Time> ends;
  for (int t = 1; t <= exchanges; ++t) ends.push_back(at(t * ns));
  return {around, ends};
}

/// Sends on what comes from the agent before.
Task<> relay(Agent& me) {
  for (;;) {
    const Message message = co_await me.receive();
    me.send(me.id() + 1, message.round, message.body);
  }
}

Task<> receive_all(Agent& me, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) co_await me.receive();
}

/// So many messages of 1000 bytes to agent 1.
std::vector<Departure> at_once(std::size_t count) { return std::vector<Departure>(count, {.to = 1, .scalars = 125}); }

/// Messages of 1000 bytes that leave agent 0 together, over two relays: 1000, 3000 and 2000 ns over the three links,
/// with latencies of 10, 20 and 30 ns. When they come to agent 3.
std::vector<Time> over_relays(Sharing sharing, std::size_t count) {
  std::vector<LinkSpec> links;
  join(links, 0, 1, 10, 1e9);
  join(links, 1, 2, 20, 1e9 / 3);
  join(links, 2, 3, 30, 0.5e9);
  World world(4, links, {.model = {.sharing = sharing}});
  world.spawn(0, send_at(world.agent(0), at_once(count)));
  world.spawn_daemon(1, relay(world.agent(1)));
  world.spawn_daemon(2, relay(world.agent(2)));
  world.spawn(3, receive_all(world.agent(3), count));
  world.run();
  return world.log.times(EventKind::delivered, 3);
}

/// A hundred messages that take 1000 ns to transmit and then 1 ms: when they come.
std::vector<Time> over_long_link(Sharing sharing) {
  std::vector<LinkSpec> links;
  join(links, 0, 1, 1'000'000, 1e9);
  World world(2, links, {.model = {.sharing = sharing}});
  world.spawn(0, send_at(world.agent(0), at_once(100)));
  world.spawn(1, receive_all(world.agent(1), 100));
  world.run();
  return world.log.times(EventKind::delivered, 1);
}

}  // namespace

TEST_CASE("Without sharing an exchange on a ring takes the latency and the slowest part of the way") {
  CHECK(ends_of_exchanges({.sharing = Sharing::none}) == all_end_every(5000 + 5000));
}

TEST_CASE("With fair shares an exchange on a ring takes the latency and both messages over the exit") {
  CHECK(ends_of_exchanges({.sharing = Sharing::fair}) == all_end_every(5000 + 2 * 5000));
}

TEST_CASE("In fifo order an exchange on a ring that turns takes the latency and both messages over the exit") {
  // All send to the next agent first, and then to the one before, so that no two meet at an entry: its last bits come
  // 5000 after the first one's, and need no more time than on the link.
  CHECK(ends_of_exchanges({.sharing = Sharing::fifo}) == all_end_every(5000 + 2 * 5000));
}

TEST_CASE("In fifo order an exchange of whole messages waits for the neighbors' exits and the own entry") {
  // The first message of an agent, to its neighbor of lower number, has left it after 5000, the second after 10000;
  // then 4000 + 5000 on the link, and 1000 for each through the receiver's entry, in the order of their coming.
  std::array<std::int64_t, around> done{}, entry_free{};
  const auto ends = ends_of_exchanges(
      {.sharing = Sharing::fifo, .forwarding = Forwarding::store_and_forward, .send_order = SendOrder::ascending});
  for (std::size_t t = 0; t < exchanges; ++t) {
    const auto began = done;
    for (AgentId i = 0; i < around; ++i) {
      const AgentId left = (i + around - 1) % around, right = (i + 1) % around;
      const auto arrival = [&](AgentId j) {
        const bool is_first = i == std::min((j + 1) % around, (j + around - 1) % around);
        return began[j] + (is_first ? 5000 : 10'000) + 4000 + 5000;
      };
      const auto [first, second] = std::minmax({arrival(left), arrival(right)});
      REQUIRE(entry_free[i] <= first);  // no message of the next exchange comes between
      done[i] = entry_free[i] = std::max(first + 1000, second) + 1000;
      CHECK(ends[i].at(t) == at(done[i]));
    }
  }
  // In the first exchange agent 0 is the first one's receiver for both of its neighbors, agent 5 the second one's.
  CHECK(ends[0][0] == at(5000 + 4000 + 5000 + 2 * 1000));
  CHECK(ends[5][0] == at(10'000 + 4000 + 5000 + 2 * 1000));
  CHECK(ends[2][0] == at(10'000 + 4000 + 5000 + 1000));
}

TEST_CASE("In fifo order messages over relays follow each other at the pace of the slowest link") {
  // The first takes the sum of all, 6000 + 60; a line of machines finishes one piece per turn of its slowest.
  std::vector<Time> expected;
  for (int k = 0; k < 8; ++k) expected.push_back(at(6060 + 3000 * k));
  CHECK(over_relays(Sharing::fifo, 8) == expected);
}

TEST_CASE("Without sharing messages over relays go together, with fair shares in blocks from relay to relay") {
  CHECK(over_relays(Sharing::none, 8) == std::vector<Time>(8, at(6060)));
  CHECK(over_relays(Sharing::fair, 8) == std::vector<Time>(8, at(8 * 6000 + 60)));
}

TEST_CASE("A link is full of messages where its latency is longer than their transmission") {
  std::vector<Time> one_by_one;
  for (int k = 1; k <= 100; ++k) one_by_one.push_back(at(1000 * k + 1'000'000));
  CHECK(over_long_link(Sharing::fifo) == one_by_one);
  CHECK(over_long_link(Sharing::none) == std::vector<Time>(100, at(1000 + 1'000'000)));
  CHECK(over_long_link(Sharing::fair) == std::vector<Time>(100, at(100 * 1000 + 1'000'000)));
}

}  // namespace lagnet::transport_paths_test
