#include "sim/agents/agent.hpp"

#include <catch2/catch.hpp>
#include <tuple>
#include <vector>

#include "sim/base/errors.hpp"
#include "tests/unit/sim/world.hpp"

namespace lagnet::agent_test {

using namespace lagnet::test;

namespace {

Task<> send_once(Agent& me, AgentId to, Round round, double value, MessageTag tag = 0) {
  me.send(to, round, scalar(value), tag);
  co_return;
}

Task<> broadcast_once(Agent& me) {
  me.broadcast(0, scalar(1));
  co_return;
}

Task<> exchange_once(Agent& me, double value, std::vector<Seen>& got) {
  const auto messages = co_await me.exchange(scalar(value));
  for (const Message& message : messages) got.push_back(seen(me.now(), message));
}

Task<> sum_once(Agent& me, Vector mine, Vector& sum) { sum = co_await me.neighbor_sum(mine); }

Task<> mix_once(Agent& me, Vector mine, const GossipRow& row, Vector& mix) {
  mix = co_await me.neighbor_mix(mine, row);
}

/// Sends the number of each exchange; a message of another exchange would carry another number.
Task<> exchange_numbers(Agent& me, int rounds, bool& in_step) {
  for (int k = 0; k < rounds; ++k) {
    const auto messages = co_await me.exchange(scalar(k));
    for (const Message& message : messages) in_step = in_step && message.body.data()[0] == k;
    me.report(k);
  }
}

/// Exchanges with every second one spelled as a sum.
Task<> exchange_or_sum(Agent& me, bool first_is_sum, std::vector<double>& sums) {
  for (int k = 0; k < 4; ++k) {
    double sum = 0;
    const Vector mine = scalar(me.id() + 10.0 * k);
    if ((k % 2 == 0) == first_is_sum) {
      const Vector total = co_await me.neighbor_sum(mine);
      sum = total[0];
    } else {
      const auto messages = co_await me.exchange(mine);
      for (const Message& message : messages) sum += message.body.data()[0];
    }
    sums.push_back(sum);
  }
}

Task<> receive_after(Agent& me, Duration wait, int count, std::vector<Seen>& got) {
  co_await me.sleep(wait);
  for (int i = 0; i < count; ++i) {
    const Message message = co_await me.receive();
    got.push_back(seen(me.now(), message));
  }
}

Task<> receive_latest_after(Agent& me, Duration wait, std::vector<Seen>& got) {
  co_await me.sleep(wait);
  const Message message = co_await me.receive_latest();
  got.push_back(seen(me.now(), message));
}

Task<> relay(Agent& me, AgentId to) {
  const Message message = co_await me.receive();
  me.send(to, message.round, message.body);
}

Task<> receive_and_report(Agent& me) {
  co_await me.receive();
  me.report(0);
}

Task<> rounds_of_sending(Agent& me) {
  me.broadcast(5, scalar(0));  // an explicit round, and the agent is in it from now on
  co_await me.compute(10);
  me.report(5);
  co_await me.compute(10);  // work of the next round
}

Task<> work_sleep_wait(Agent& me) {
  co_await me.compute(300);
  co_await me.sleep(span(20));
  co_await me.receive();
  co_await me.receive();
}

Task<> negative_sleep(Agent& me) { co_await me.sleep(span(-5)); }

Task<> compute_state(Agent& me, int& state, std::vector<int>& states) {
  const auto kernel = [&state] { ++state; };
  for (int k = 0; k < 3; ++k) {
    co_await me.compute(100, kernel);
    states.push_back(state);
  }
}

}  // namespace

TEST_CASE("Sending without a link reports sender and receiver") {
  World world(3, line({10, 10}));
  world.spawn(0, send_once(world.agent(0), 2, 0, 1));
  CHECK_THROWS_WITH(world.run(), "agent 0 at 0 ns: no link to agent 2");
}

TEST_CASE("A broadcast reaches every neighbor once, and no agent without neighbors") {
  World world(4, star({10, 20, 30}));
  world.spawn(0, broadcast_once(world.agent(0)));
  world.spawn(1, only_sleep(world.agent(1), span(100)));
  world.run();
  CHECK(world.ledger.agent(0).messages_sent == 3);
  for (AgentId a = 1; a < 4; ++a) CHECK(world.log.times(EventKind::delivered, a) == std::vector{at(10 * a)});

  World alone(1, {});
  alone.spawn(0, broadcast_once(alone.agent(0)));
  alone.run();
  CHECK(alone.ledger.total().messages_sent == 0);
}

TEST_CASE("An exchange returns the neighbors' messages in the order of their senders, after the last arrival") {
  World world(4, star({30, 10, 20}));
  std::vector<Seen> got, others;
  world.spawn(0, exchange_once(world.agent(0), 0, got));
  for (AgentId a = 1; a < 4; ++a) world.spawn(a, exchange_once(world.agent(a), a, others));
  world.run();
  CHECK(got == std::vector<Seen>{{at(30), 1, 1}, {at(30), 2, 2}, {at(30), 3, 3}});
  CHECK(others.size() == 3);
}

TEST_CASE("A neighbor that is one exchange ahead does not mix up the exchanges") {
  // Agents 0 and 1 are next to each other, 2 is far from 1: agent 0 sends exchange k+1 while 1 still waits for k.
  World world(3, line({1, 1000}));
  bool in_step = true;
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, exchange_numbers(world.agent(a), 20, in_step));
  world.run();
  CHECK(in_step);
  CHECK(world.log.times(EventKind::reported, 1).back() == at(20 * 1000));
  CHECK(world.log.times(EventKind::reported, 0).back() == at(19 * 1000 + 1));  // the middle's last one leaves at 19 us
}

TEST_CASE("One agent's exchange and another's sum meet in the same exchange") {
  World world(3, ring({5, 7, 9}));
  std::vector<std::vector<double>> sums(3);
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, exchange_or_sum(world.agent(a), a == 1, sums[a]));
  world.run();
  for (AgentId a = 0; a < 3; ++a)
    for (std::size_t k = 0; k < 4; ++k) CHECK(sums[a][k] == 3.0 - a + 20.0 * static_cast<double>(k));
}

TEST_CASE("neighbor_sum adds the neighbors' vectors and leaves the agent's own out") {
  World world(3, star({10, 20}));
  std::vector<Vector> sums(3);
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, sum_once(world.agent(a), Vector::LinSpaced(3, a + 1, a + 3), sums[a]));
  world.run();
  CHECK(sums[0] == Vector::LinSpaced(3, 5, 9));  // 2,3,4 + 3,4,5
  CHECK(sums[1] == Vector::LinSpaced(3, 1, 3));
}

TEST_CASE("neighbor_mix weighs the own vector and the neighbors'") {
  World world(3, star({10, 20}));
  std::vector<Vector> mixes(3);
  const std::vector<GossipRow> rows{{.own = 0.5, .neighbors = {0.25, 0.125}}, {.own = 2, .neighbors = {1}}, {0, {1}}};
  for (AgentId a = 0; a < 3; ++a) world.spawn(a, mix_once(world.agent(a), scalar(8 << a), rows[a], mixes[a]));
  world.run();
  CHECK(mixes[0] == scalar(0.5 * 8 + 0.25 * 16 + 0.125 * 32));
  CHECK(mixes[1] == scalar(2 * 16 + 8));
  CHECK(mixes[2] == scalar(8));
}

TEST_CASE("Without neighbors an exchange is empty, a sum zero and a mix the own part, and no time passes") {
  World world(1, {});
  std::vector<Seen> got;
  Vector sum, mix;
  const GossipRow row{.own = 0.5, .neighbors = {}};
  const auto all = [&](Agent& me) -> Task<> {
    const auto messages = co_await me.exchange(scalar(1));
    for (const Message& message : messages) got.push_back(seen(me.now(), message));
    sum = co_await me.neighbor_sum(Vector::Ones(2));
    mix = co_await me.neighbor_mix(Vector::Ones(2), row);
    me.report(0, mix);
  };
  world.spawn(0, all(world.agent(0)));
  CHECK(world.run().last_report == at(0));
  CHECK(got.empty());
  CHECK(sum == Vector::Zero(2));
  CHECK(mix == Vector::Constant(2, 0.5));
}

TEST_CASE("Sums of vectors of different sizes end as agents do, and rows of the wrong length are internal errors") {
  World sizes(2, line({1}));
  std::vector<Vector> sums(2);
  for (AgentId a = 0; a < 2; ++a) sizes.spawn(a, sum_once(sizes.agent(a), Vector::Ones(1 + a), sums[a]));
  CHECK_THROWS_MATCHES(sizes.run(), AgentError,
                       Catch::Message("agent 1 at 1 ns: expected vectors of one length where they are added up, found "
                                      "1 numbers of agent 0 and 2 of agent 1"));

  World weights(2, line({1}));
  const GossipRow row{.own = 1, .neighbors = {0.5, 0.5}};
  weights.spawn(0, mix_once(weights.agent(0), scalar(1), row, sums[0]));
  CHECK_THROWS_AS(weights.run(), InternalError);
}

TEST_CASE("receive gives the messages in the order of their arrival") {
  World world(4, star({30, 10, 20}));
  std::vector<Seen> got;
  world.spawn(0, receive_after(world.agent(0), span(0), 3, got));
  for (AgentId a = 1; a < 4; ++a) world.spawn(a, send_once(world.agent(a), 0, 0, a));
  world.run();
  CHECK(got == std::vector<Seen>{{at(10), 2, 2}, {at(20), 3, 3}, {at(30), 1, 1}});
}

TEST_CASE("Messages that came while the agent did not wait are received in their order") {
  World world(4, star({30, 10, 20}));
  std::vector<Seen> got;
  world.spawn(0, receive_after(world.agent(0), span(25), 3, got));
  for (AgentId a = 1; a < 4; ++a) world.spawn(a, send_once(world.agent(a), 0, 0, a));
  world.run();
  CHECK(got == std::vector<Seen>{{at(25), 2, 2}, {at(25), 3, 3}, {at(30), 1, 1}});
}

TEST_CASE("receive_latest gives the message of the latest round, and the others count as superseded") {
  World world(5, star({10, 20, 30, 40}));
  std::vector<Seen> got;
  world.spawn(0, receive_latest_after(world.agent(0), span(100), got));
  for (const AgentId a : {1u, 2u, 3u, 4u}) world.spawn(a, send_once(world.agent(a), 0, a == 2 ? 8 : 7, a));
  world.run();
  CHECK(got == std::vector<Seen>{{at(100), 2, 2, -8}});  // staleness: round 0 less round 8
  CHECK(world.ledger.agent(0).superseded == 3);
  CHECK(world.ledger.total().superseded == 3);
}

TEST_CASE("Among messages of one round the last to come is the latest") {
  World world(3, star({20, 10}));
  std::vector<Seen> got;
  world.spawn(0, receive_latest_after(world.agent(0), span(100), got));
  for (const AgentId a : {1u, 2u}) world.spawn(a, send_once(world.agent(a), 0, 3, a));
  world.run();
  REQUIRE(got.size() == 1);
  CHECK(got[0].from == 1);
}

TEST_CASE("Staleness is the receiver's round less the sender's") {
  World world(2, line({10}));
  Round staleness = -1;
  const auto in_round_six = [&](Agent& me) -> Task<> {
    me.report(5);  // round 6 from here on
    const Message message = co_await me.receive();
    staleness = message.staleness;
  };
  world.spawn(0, in_round_six(world.agent(0)));
  world.spawn(1, send_once(world.agent(1), 0, 2, 1));
  world.run();
  CHECK(staleness == 4);
}

TEST_CASE("Hops count the messages on the longest causal chain") {
  World world(5, line({10, 10, 10, 10}));
  world.spawn(0, send_once(world.agent(0), 1, 0, 1));
  for (AgentId a = 1; a < 4; ++a) world.spawn(a, relay(world.agent(a), a + 1));
  world.spawn(4, receive_and_report(world.agent(4)));
  world.run();
  CHECK(world.ledger.agent(4).hops == 4);
  CHECK(world.ledger.total().hops == 4);
}

TEST_CASE("Each exchange is one hop, however many neighbors take part") {
  World world(4, ring({10, 20, 30, 40}));
  bool in_step = true;
  for (AgentId a = 0; a < 4; ++a) world.spawn(a, exchange_numbers(world.agent(a), 9, in_step));
  world.run();
  for (AgentId a = 0; a < 4; ++a) CHECK(world.ledger.agent(a).hops == 9);
}

TEST_CASE("Events after a report belong to the next round") {
  World world(2, line({10}));
  world.spawn(0, rounds_of_sending(world.agent(0)));
  world.run();
  std::vector<std::pair<EventKind, Round>> rounds;
  for (const SimEvent& one : world.log.all)
    if (one.agent == 0) rounds.emplace_back(one.what, one.round);
  CHECK(rounds ==
        std::vector<std::pair<EventKind, Round>>{
            {EventKind::sent, 5}, {EventKind::computed, 5}, {EventKind::reported, 5}, {EventKind::computed, 6}});
}

TEST_CASE("Time is accounted as computing, sleeping or idle, and together they are the agent's time") {
  World world(2, line({1000}));
  world.spawn(0, work_sleep_wait(world.agent(0)));
  const auto twice = [](Agent& me) -> Task<> {
    me.send(0, 0, scalar(1));
    co_await me.sleep(span(500));
    me.send(0, 0, scalar(2));
  };
  world.spawn(1, twice(world.agent(1)));
  const Ending ending = world.run();
  const AgentAccount& account = world.ledger.agent(0);
  CHECK(account.flops == 300);
  CHECK(account.computing == span(300));
  CHECK(account.sleeping == span(20));
  CHECK(account.idle == span(1000 - 320 + 500));
  CHECK(account.computing + account.sleeping + account.idle == ending.last_event - Time());
}

TEST_CASE("Waits that the end of the run cuts off are under way until then, with the time down in them") {
  // Agents 1 and 2 wait from 0 and from 300 on for what never comes; 2 is down from 500 to 600. 0 and 3 wait for time.
  World world(4, star({1000, 1000, 1000}),
              {.end = at(700), .model = {.availability = without(4, {{2, at(500), at(600)}})}});
  const auto compute_then_wait = [](Agent& me, Flops flops) -> Task<> {
    co_await me.compute(flops);
    co_await me.receive();
  };
  world.spawn(0, only_sleep(world.agent(0), span(9000)));
  world.spawn(1, compute_then_wait(world.agent(1), 0));
  world.spawn(2, compute_then_wait(world.agent(2), 300));
  world.spawn(3, work_sleep_wait(world.agent(3)));
  CHECK(world.run().reason == EndReason::time_limit);
  const std::vector<SimEvent> waits = world.sim.waits_under_way();
  REQUIRE(waits.size() == 3);
  for (const auto& [place, agent, waited, down] :
       {std::tuple(0, 1, 700, 0), std::tuple(1, 2, 400, 100), std::tuple(2, 3, 380, 0)}) {
    const SimEvent& wait = waits[static_cast<std::size_t>(place)];
    CAPTURE(agent);
    CHECK((wait.what == EventKind::waited && wait.at == at(700)));
    CHECK(wait.agent == static_cast<AgentId>(agent));
    CHECK(wait.duration == span(waited));
    CHECK(wait.amount == down);
  }
}

TEST_CASE("A message that is there already is taken without idle time") {
  World world(2, line({10}));
  std::vector<Seen> got;
  world.spawn(0, receive_after(world.agent(0), span(50), 1, got));
  world.spawn(1, send_once(world.agent(1), 0, 0, 1));
  world.run();
  CHECK(world.ledger.agent(0).idle == Duration());
}

TEST_CASE("Sleeping for a negative time is refused") {
  World world(1, {});
  world.spawn(0, negative_sleep(world.agent(0)));
  CHECK_THROWS_WITH(world.run(), "agent 0 at 0 ns: cannot sleep for -5 ns");
}

TEST_CASE("A kernel has run when compute() returns", "[threads]") {
  for (const unsigned threads : {1u, 2u}) {
    World world(1, {}, {.threads = threads});
    int state = 0;
    std::vector<int> states;
    world.spawn(0, compute_state(world.agent(0), state, states));
    CHECK(world.run().last_event == at(300));
    CHECK(states == std::vector{1, 2, 3});
  }
}

TEST_CASE("An agent's draws are those of the run's seed, its id, and the round") {
  World world(3, line({1, 1}), {.seed = 77});
  Draws expected(77, Purpose("x"), 2, 4);
  Draws draws = world.agent(2).draws(Purpose("x"), 4);
  CHECK(draws.bits() == expected.bits());
}

}  // namespace lagnet::agent_test
