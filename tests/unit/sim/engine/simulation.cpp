#include "sim/engine/simulation.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <vector>

#include "tests/unit/sim/world.hpp"

namespace lagnet::simulation_test {

using namespace lagnet::test;

namespace {

struct StarRound {
  int rounds = 0;
  Index size = 0;
  Flops flops = 0;
};

Task<> star_server(Agent& me, StarRound star) {
  std::vector<AgentId> cohort(me.neighbors().begin(), me.neighbors().end());
  const Vector model = Vector::Zero(star.size);
  for (Round t = 0; t < star.rounds; ++t) {
    me.broadcast(t, model);
    co_await me.collect(t, cohort);
    me.report(t, model);
  }
}

Task<> star_client(Agent& me, StarRound star) {
  for (;;) {
    const Message model = co_await me.receive();
    co_await me.compute(star.flops);
    me.send(0, model.round, model.body);
  }
}

Task<> exchange_rounds(Agent& me, int rounds, Index size) {
  const Vector mine = Vector::Ones(size);
  for (Round t = 0; t < rounds; ++t) {
    co_await me.exchange(mine);
    me.report(t);
  }
}

/// Spelled as a broadcast or as a send to each neighbor in turn.
Task<> gossip_by_messages(Agent& me, bool broadcasts, int rounds, double& state) {
  const std::vector<AgentId> around(me.neighbors().begin(), me.neighbors().end());
  for (Round t = 0; t < rounds; ++t) {
    const Vector mine = scalar(state);
    if (broadcasts)
      me.broadcast(t, mine);
    else
      for (const AgentId to : around) me.send(to, t, mine);
    const auto messages = co_await me.collect(t, around);
    for (const Message& message : messages) state += 0.1 * (message.body.data()[0] - mine[0]);
    co_await me.compute(10 + 7 * me.id());
    me.report(t, mine);
  }
}

Task<> send_in_steps(Agent& me, int count, Duration step, Index size) {
  const Vector body = Vector::Zero(size);
  for (Round t = 0; t < count; ++t) {
    me.send(1, t, body);
    co_await me.sleep(step);
  }
}

Task<> receive_some(Agent& me, int count, std::vector<Seen>& got) {
  for (int i = 0; i < count; ++i) {
    const Message message = co_await me.receive();
    got.push_back(seen(me.now(), message));
  }
}

Task<> note_order(Agent& me, Duration wait, std::vector<AgentId>& order) {
  co_await me.sleep(wait);
  order.push_back(me.id());
}

/// Sends and hears nothing before it waits, although the link takes no time.
Task<> ping(Agent& me, std::vector<int>& events) {
  me.send(1, 0, scalar(1));
  events.push_back(1);  // comes before the receiver runs
  co_await me.receive();
  events.push_back(3);
}
Task<> pong(Agent& me, std::vector<int>& events) {
  co_await me.receive();
  events.push_back(2);
  me.send(0, 0, scalar(1));
}

}  // namespace

TEST_CASE("A round over a star takes the slowest client's two transfers and computation") {
  // Client a: latency 1000 a ns, 8 d bytes at 2e9/a bytes/s, F flops at 1e9 a flops/s.
  const StarRound star{.rounds = 5, .size = 250, .flops = 6000};  // 2000 bytes: a us on the wire
  const AgentId clients = 4;
  std::vector<LinkSpec> links;
  std::vector<double> speeds{1e9};
  std::int64_t slowest = 0;
  for (AgentId a = 1; a <= clients; ++a) {
    join(links, 0, a, 1000 * a, 2e9 / a);
    speeds.push_back(1e9 * a);
    slowest = std::max<std::int64_t>(slowest, 2 * (1000 * a + 1000 * a) + 6000 / a);
  }
  REQUIRE(slowest == 17'500);  // the fourth: 2 (4000 + 4000) + 1500
  Simulation sim(Network(clients + 1, links), ComputeModel(speeds), {});
  Ledger ledger(clients + 1, sim.network().links());
  sim.listen(ledger);
  sim.spawn(0, star_server(sim.agent(0), star));
  for (AgentId a = 1; a <= clients; ++a) sim.spawn(a, star_client(sim.agent(a), star), Simulation::Role::daemon);
  const Ending ending = sim.run();
  CHECK(ending.reason == EndReason::finished);
  CHECK(ending.last_report == at(5 * slowest));
  CHECK(ledger.agent(0).idle == span(5 * slowest));
  CHECK(ledger.agent(0).hops == 2 * 5);
  CHECK(ledger.total().bytes_sent == 5 * 2 * clients * 2000);
  CHECK(ledger.total().flops == 5 * clients * 6000);
  CHECK(ledger.agent(2).computing == span(5 * 3000));
  CHECK(ledger.messages_in_flight() == 0);
}

TEST_CASE("Exchanges on a ring of equal links take latency + bytes/bandwidth each") {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < 6; ++a) join(links, a, (a + 1) % 6, 500, 1e9);
  World world(6, links, {.wire = {.bytes_per_scalar = 4, .header_bytes = 20}});
  for (AgentId a = 0; a < 6; ++a) world.spawn(a, exchange_rounds(world.agent(a), 7, 25));  // 120 bytes: 120 ns
  CHECK(world.run().last_report == at(7 * (500 + 120)));
  for (AgentId a = 0; a < 6; ++a) {
    const auto times = world.log.times(EventKind::reported, a);
    for (std::size_t t = 0; t < 7; ++t) CHECK(times.at(t) == at(static_cast<std::int64_t>(t + 1) * 620));
    CHECK(world.ledger.agent(a).idle == span(7 * 620));
    CHECK(world.ledger.agent(a).messages_sent == 14);
  }
}

TEST_CASE("Exchanges over unequal links follow the max-plus recursion of their latencies") {
  // An agent ends exchange k when the last neighbor's message has come: T_k(i) = max_j (T_{k-1}(j) + latency(i, j)),
  // and not before it began, T_{k-1}(i).
  const std::vector<std::int64_t> latencies{30, 1000, 7, 250, 0};
  const std::size_t n = latencies.size();
  constexpr int rounds = 12;
  World world(static_cast<AgentId>(n), ring(latencies));
  for (AgentId a = 0; a < n; ++a) world.spawn(a, exchange_rounds(world.agent(a), rounds, 1));
  world.run();
  std::vector<std::int64_t> done(n, 0);
  for (std::size_t k = 0; k < rounds; ++k) {
    std::vector<std::int64_t> next(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t left = (i + n - 1) % n, right = (i + 1) % n;
      next[i] = std::max({done[i], done[left] + latencies[left], done[right] + latencies[i]});
      CHECK(world.log.times(EventKind::reported, static_cast<AgentId>(i)).at(k) == at(next[i]));
    }
    done = next;
  }
}

TEST_CASE("On links without latency rounds take no time and still come one after the other") {
  World world(4, ring({0, 0, 0, 0}));
  for (AgentId a = 0; a < 4; ++a) world.spawn(a, exchange_rounds(world.agent(a), 100, 1));
  const Ending ending = world.run();
  CHECK(ending.last_event == at(0));
  CHECK(ending.events == 4 * 100);  // one event for each broadcast
  CHECK(world.ledger.total().messages_received == 4 * 100 * 2);
}

TEST_CASE("A message over a link without latency arrives only when its receiver's turn comes") {
  World world(2, line({0}));
  std::vector<int> events;
  world.spawn(0, ping(world.agent(0), events));
  world.spawn(1, pong(world.agent(1), events));
  CHECK(world.run().last_event == at(0));
  CHECK(events == std::vector{1, 2, 3});
}

TEST_CASE("A single agent computes for its flops") {
  World world(1, {}, {}, 2e9);
  const auto program = [](Agent& me) -> Task<> {
    for (Round t = 0; t < 3; ++t) {
      co_await me.compute(1000);
      me.report(t);
    }
  };
  world.spawn(0, program(world.agent(0)));
  const Ending ending = world.run();
  CHECK(ending.last_report == at(1500));
  CHECK(ending.reason == EndReason::finished);
  CHECK(world.ledger.total().flops == 3000);
}

TEST_CASE("The run's duration is the last report's time, not the last event's") {
  World world(1, {});
  const auto program = [](Agent& me) -> Task<> {
    co_await me.compute(1000);
    me.report(0);
    co_await me.sleep(span(77));
  };
  world.spawn(0, program(world.agent(0)));
  const Ending ending = world.run();
  CHECK(ending.last_report == at(1000));
  CHECK(ending.last_event == at(1077));
}

TEST_CASE("Two hundred messages are on one link at once, each as if alone") {
  // 1 us apart, 100 us of latency, 800 ns on the wire: message k arrives at 1000 k + 100,800 ns.
  std::vector<LinkSpec> links;
  join(links, 0, 1, 100'000, 1e9);
  World world(2, links);
  std::vector<Seen> got;
  world.spawn(0, send_in_steps(world.agent(0), 200, span(1000), 100));
  world.spawn(1, receive_some(world.agent(1), 200, got));
  world.run();
  REQUIRE(got.size() == 200);
  for (std::size_t k = 0; k < 200; ++k) CHECK(got[k].when == at(static_cast<std::int64_t>(1000 * k) + 100'800));
}

TEST_CASE("Messages that leave together don't wait for one another") {
  std::vector<LinkSpec> links;
  join(links, 0, 1, 10, 1e9);
  World world(2, links);
  std::vector<Seen> got;
  world.spawn(0, send_in_steps(world.agent(0), 200, span(0), 125));  // 1000 ns each
  world.spawn(1, receive_some(world.agent(1), 200, got));
  world.run();
  REQUIRE(got.size() == 200);
  for (const Seen& one : got) CHECK(one.when == at(1010));
}

TEST_CASE("Events of one instant run in the order of their senders, not of sending") {
  World timers(5, {});
  std::vector<AgentId> order;
  for (const AgentId a : {3u, 1u, 4u, 0u, 2u}) timers.spawn(a, note_order(timers.agent(a), span(10), order));
  timers.run();
  CHECK(order == std::vector<AgentId>{0, 1, 2, 3, 4});  // all began to sleep in the order of their ids

  // Messages that left at 90 - 10 a ns over links of 10 + 10 a ns all arrive at 100 ns: the last agent sent first.
  for (const Sharing sharing : {Sharing::none, Sharing::fifo, Sharing::fair}) {
    World messages(6, star({20, 30, 40, 50, 60}), {.model = {.sharing = sharing}});
    std::vector<Seen> got;
    messages.spawn(0, receive_some(messages.agent(0), 5, got));
    for (AgentId a = 1; a < 6; ++a) messages.spawn(a, sleep_then_send(messages.agent(a), span(90 - 10 * a), 0, 0, a));
    messages.run();
    std::vector<AgentId> senders;
    for (const Seen& one : got) {
      CHECK(one.when == at(100));
      senders.push_back(one.from);
    }
    CHECK(senders == std::vector<AgentId>{1, 2, 3, 4, 5});
  }
}

TEST_CASE("Messages of one sender that arrive at one instant arrive in the order in which they were sent") {
  // 16 bytes at one byte a nanosecond from 0, and twice 8 bytes from 8 ns.
  std::vector<LinkSpec> links;
  join(links, 0, 1, 0, 1e9);
  World world(2, links);
  std::vector<Seen> got;
  world.spawn(0, send_at(world.agent(0), {{0, 1, 2}, {8, 1, 1}, {8, 1, 1}}));
  world.spawn(1, receive_some(world.agent(1), 3, got));
  world.run();
  REQUIRE(got.size() == 3);
  for (std::size_t k = 0; k < got.size(); ++k) {
    CHECK(got[k].when == at(16));
    CHECK(got[k].value == static_cast<double>(k));
  }
}

TEST_CASE("A broadcast is the same run as a send to each neighbor, over links of any latency") {
  const std::vector<std::vector<LinkSpec>> networks{star({10, 10, 10, 10, 10}), star({30, 10, 30, 20, 10}),
                                                    ring({5, 0, 9, 5, 5, 0}), line({3, 3, 8, 0, 3})};
  for (const auto& links : networks) {
    World with_broadcasts(6, links), with_sends(6, links);
    std::vector<double> first{1, 2, 3, 4, 5, 6}, second = first;
    for (AgentId a = 0; a < 6; ++a) {
      with_broadcasts.spawn(a, gossip_by_messages(with_broadcasts.agent(a), true, 10, first[a]));
      with_sends.spawn(a, gossip_by_messages(with_sends.agent(a), false, 10, second[a]));
    }
    with_broadcasts.run();
    with_sends.run();
    CHECK(with_broadcasts.trace.hash() == with_sends.trace.hash());
    CHECK(with_broadcasts.trace.events() == with_sends.trace.events());
    CHECK(first == second);
  }
}

TEST_CASE("A broadcast is one event for each distinct time of arrival") {
  World world(6, star({30, 10, 30, 20, 10}));
  const auto program = [](Agent& me) -> Task<> {
    me.broadcast(0, scalar(1));
    co_await me.sleep(span(100));
  };
  world.spawn(0, program(world.agent(0)));
  CHECK(world.run().events == 3 + 1);  // and the end of the sleep
  CHECK(world.ledger.total().messages_received == 5);
}

TEST_CASE("Speeds for another number of agents than the network's are refused") {
  CHECK_THROWS_WITH(Simulation(Network(2, line({1})), ComputeModel({1e9}), {}),
                    "expected 2 speeds, one for each agent, found 1");
}

}  // namespace lagnet::simulation_test
