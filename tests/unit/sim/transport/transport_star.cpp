#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::transport_star_test {

using namespace lagnet::test;

/// A synchronous round over a star: the server sends 1000 bytes to each of m = 4 clients, each computes for 7000 ns and
/// answers with 1000 bytes. Over each part of the way alone they take
///
///     server up 2500 ns, link 2000 ns, client down 4000 ns, client up 4000 ns, server down 5000 ns, latency 10000 ns.
namespace {

constexpr AgentId clients = 4;
constexpr int rounds = 3;

Task<> serve(Agent& me) {
  const std::vector<AgentId> cohort(me.neighbors().begin(), me.neighbors().end());
  for (Round t = 1; t <= rounds; ++t) {
    me.broadcast(t, Vector::Zero(125));
    co_await me.collect(t, cohort);
    me.report(t);
  }
}

Task<> answer(Agent& me) {
  for (;;) {
    const Message asked = co_await me.receive();
    co_await me.compute(7000);
    me.send(0, asked.round, asked.body);
  }
}

struct Star {
  explicit Star(Sharing sharing, Forwarding forwarding = Forwarding::cut_through)
      : world(network(), {.model = {.sharing = sharing, .forwarding = forwarding}}) {
    world.spawn(0, serve(world.agent(0)));
    for (AgentId a = 1; a <= clients; ++a) world.spawn_daemon(a, answer(world.agent(a)));
    world.run();
  }
  static Network network() {
    std::vector<LinkSpec> links;
    for (AgentId a = 1; a <= clients; ++a) join(links, 0, a, 10'000, 0.5e9);
    std::vector<Interface> interfaces(clients + 1, {.up_bytes_per_s = 0.25e9, .down_bytes_per_s = 0.25e9});
    interfaces[0] = {.up_bytes_per_s = 0.4e9, .down_bytes_per_s = 0.2e9};
    return Network(clients + 1, links, interfaces);
  }
  /// Checks that in every round client k gets its message `asked[k-1]` after the round's beginning, that the answers
  /// come at `answered`, and that the round takes `duration`.
  void check(const std::vector<std::int64_t>& asked, const std::vector<std::int64_t>& answered, std::int64_t duration) {
    for (AgentId k = 1; k <= clients; ++k) {
      std::vector<Time> expected;
      for (int t = 0; t < rounds; ++t) expected.push_back(at(t * duration + asked[k - 1]));
      CHECK(world.log.times(EventKind::delivered, k) == expected);
    }
    std::vector<Time> answers, ends;
    for (int t = 0; t < rounds; ++t) {
      for (const std::int64_t ns : answered) answers.push_back(at(t * duration + ns));
      ends.push_back(at((t + 1) * duration));
    }
    CHECK(world.log.times(EventKind::delivered, 0) == answers);
    CHECK(world.log.times(EventKind::reported, 0) == ends);
  }
  World world;
};

}  // namespace

TEST_CASE("Without sharing every message of a star's round goes as if alone, by the slowest part of its way") {
  // To a client 10000 + 4000 (its down interface), 7000 of work, back 10000 + 5000 (the server's down interface).
  Star star(Sharing::none);
  star.check({14'000, 14'000, 14'000, 14'000}, {36'000, 36'000, 36'000, 36'000}, 36'000);
  CHECK(star.world.ledger.total().queueing == Duration());
  CHECK(star.world.ledger.agent(0).transferring == span(rounds * clients * 15'000));
}

TEST_CASE("In fifo order the server's interfaces take a star's messages one after the other, bit by bit") {
  // The k-th message leaves the server until 2500 k. Its first bit, at 2500 (k-1), is not kept waiting by the link; its
  // last one is through the link at 2500 k, later by 10000, and through the client's interface, which needs 4000 from
  // the first bit on, at 2500 (k-1) + 10000 + 4000. The answer leaves 7000 later; its bits take 4000 to leave and 5000
  // to enter the server. The first bits get there every 2500 from 31000 on, and each message takes its 5000.
  Star star(Sharing::fifo);
  star.check({14'000, 16'500, 19'000, 21'500}, {36'000, 41'000, 46'000, 51'000}, 51'000);
  // Waiting for others: as below. Alone, a message takes as long as through the slowest part of its way.
  for (AgentId k = 1; k <= clients; ++k) {
    CHECK(star.world.ledger.agent(k).queueing == Duration());
    CHECK(star.world.ledger.agent(k).transferring == span(rounds * (10'000 + 4000)));
  }
  CHECK(star.world.ledger.agent(0).queueing == span(rounds * 2 * 2500 * (0 + 1 + 2 + 3)));
  CHECK(star.world.ledger.agent(0).transferring == span(rounds * clients * (10'000 + 5000)));
}

TEST_CASE("In fifo order the server's interfaces take a star's whole messages one after the other") {
  // The k-th message has left the server at 2500 k, its link at 2500 k + 2000, and is there at 2500 k + 2000 + 10000 +
  // 4000. The answer leaves 7000 later, and reaches the server's interface at 2500 k + 23000 + 4000 + 2000 + 10000. The
  // first gets there at 41500; the others come every 2500 and wait, since each takes 5000.
  Star star(Sharing::fifo, Forwarding::store_and_forward);
  star.check({18'500, 21'000, 23'500, 26'000}, {46'500, 51'500, 56'500, 61'500}, 61'500);
  // Waiting for others: the k-th message for 2500 (k-1) at the server's exit, its answer for 2500 (k-1) at the entry.
  // Both queues are the server's.
  for (AgentId k = 1; k <= clients; ++k) {
    CHECK(star.world.ledger.agent(k).queueing == Duration());
    CHECK(star.world.ledger.agent(k).transferring == span(rounds * (2500 + 2000 + 10'000 + 4000)));
  }
  CHECK(star.world.ledger.agent(0).queueing == span(rounds * 2 * 2500 * (0 + 1 + 2 + 3)));
  CHECK(star.world.ledger.agent(0).transferring == span(rounds * clients * (4000 + 2000 + 10'000 + 5000)));
}

TEST_CASE("With fair shares a star's messages are there together, each at a quarter of the server's interface") {
  // After the latency four flows at 0.1 bytes/ns take 10000: there at 20000. The answers start at 27000, flow from
  // 37000 on at 0.05 bytes/ns, and take 20000.
  Star star(Sharing::fair);
  star.check({20'000, 20'000, 20'000, 20'000}, {57'000, 57'000, 57'000, 57'000}, 57'000);
  // Alone they would take 14000 and 42000 - 27000; the server's interfaces are what they share.
  for (AgentId k = 1; k <= clients; ++k) CHECK(star.world.ledger.agent(k).queueing == Duration());
  CHECK(star.world.ledger.agent(0).queueing == span(rounds * clients * (6000 + 15'000)));
}

namespace {

Task<> receive_two(Agent& me) {
  for (int k = 0; k < 2; ++k) co_await me.receive();
}

/// Two senders and two receivers, 1000 bytes from each to each at once. The interfaces of agent `narrow` have 0.1 bytes
/// a nanosecond, or 10,000 ns a message, the others no limit. Gives what each agent is billed for queues.
std::vector<Duration> queues_of_square(AgentId narrow, Sharing sharing) {
  std::vector<LinkSpec> links;
  for (const AgentId from : {0u, 1u})
    for (const AgentId to : {2u, 3u}) join(links, from, to, 500);
  std::vector<Interface> interfaces(4);
  interfaces[narrow] = {.up_bytes_per_s = 0.1e9, .down_bytes_per_s = 0.1e9};
  World world(Network(4, links, interfaces), {.model = {.sharing = sharing}});
  for (const AgentId from : {0u, 1u}) world.spawn(from, send_at(world.agent(from), {{0, 2, 125}, {0, 3, 125}}));
  for (const AgentId to : {2u, 3u}) world.spawn(to, receive_two(world.agent(to)));
  world.run();
  std::vector<Duration> queues;
  for (AgentId a = 0; a < 4; ++a) queues.push_back(world.ledger.agent(a).queueing);
  return queues;
}

}  // namespace

TEST_CASE("A wait is billed to the agent whose interface messages wait for, of the sender or of the receiver") {
  // Of two messages over one interface the second waits for 10000 in fifo order; with fair shares both take 20000.
  const Duration none;
  CHECK(queues_of_square(0, Sharing::fifo) == std::vector{span(10'000), none, none, none});
  CHECK(queues_of_square(3, Sharing::fifo) == std::vector{none, none, none, span(10'000)});
  CHECK(queues_of_square(0, Sharing::fair) == std::vector{span(20'000), none, none, none});
  CHECK(queues_of_square(3, Sharing::fair) == std::vector{none, none, none, span(20'000)});
}

}  // namespace lagnet::transport_star_test
