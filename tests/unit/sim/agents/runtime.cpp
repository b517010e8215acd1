#include "sim/agents/runtime.hpp"

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "sim/agents/agent_pool.hpp"
#include "tests/unit/sim/world.hpp"

/// A world that is no simulation needs the functions of Runtime and an AgentPool, and nothing of the engine.
namespace lagnet::runtime_test {

using namespace lagnet::test;

namespace {

/// Agents in one process without simulated time: messages arrive in the order in which they were sent, timers go off
/// when no message is on its way, and the clock is a count of what has happened.
class Mailroom final : public Runtime {
 public:
  explicit Mailroom(Network network, bool timing_only = false)
      : network_(std::move(network)), agents_(*this, network_, model_, {.threads = 2, .timing_only = timing_only}) {}

  AgentPool& agents() { return agents_; }
  /// Until all agents have ended, or nothing can happen any more.
  void run() {
    agents_.start();
    while (agents_.unfinished() > 0 && happens()) agents_.resume_ready();
  }

  std::uint64_t seed() const override { return 1; }
  const Network& network() const override { return network_; }
  const WorldModel& model() const override { return model_; }
  void send(LinkId link, Message&& message) override { letters_.emplace_back(link, std::move(message)); }
  void broadcast(Message&& message) override {
    const LinkId first = network_.first_link(message.from);
    for (LinkId k = 0; k < network_.links_of(message.from).size(); ++k) send(first + k, Message(message));
  }
  void wake_at(Time at, AgentId agent, std::uint32_t ticket) override { timers_.emplace(at, std::pair(agent, ticket)); }
  Duration compute_time(AgentId, Round, Cost work, bool) override { return Duration::nanoseconds(work.flops); }
  void report(AgentId agent, Round, std::span<const VectorView> parts) override {
    if (!parts.empty()) reported[agent].push_back(parts.front()[0]);
  }

  std::map<AgentId, std::vector<double>> reported;

 private:
  void tell(const SimEvent&) override {}
  bool happens() {
    now_ = now_ + Duration::nanoseconds(1);
    if (!letters_.empty()) {
      auto [link, message] = std::move(letters_.front());
      letters_.pop_front();
      agents_.deliver(link, std::move(message));
      return true;
    }
    if (timers_.empty()) return false;
    const auto [agent, ticket] = timers_.begin()->second;
    timers_.erase(timers_.begin());
    agents_.wake(agent, ticket);
    return true;
  }

  Network network_;
  WorldModel model_;
  std::deque<std::pair<LinkId, Message>> letters_;
  std::multimap<Time, std::pair<AgentId, std::uint32_t>> timers_;
  AgentPool agents_;
};

/// Halves its number and adds a quarter of its neighbors', five times.
Task<> average(Agent& me, double start) {
  Vector x = Vector::Constant(1, start);
  for (Round round = 1; round <= 5; ++round) {
    const StateVector sum = co_await me.neighbor_sum(x);
    auto step = [&] { x = x / 2 + sum / 4; };
    const Cost work(3);
    co_await me.compute(work, step);
    me.report(round, x);
  }
}

/// A server that asks, and clients that answer with their number; the last client is silent.
Task<> ask_all(Agent& me, std::vector<AgentId>& answered) {
  me.broadcast(1, scalar(0));
  std::vector<AgentId> all(me.neighbors().begin(), me.neighbors().end());
  const auto answers = co_await me.collect(1, std::move(all), me.now() + span(1000));
  for (const Message& answer : answers) answered.push_back(answer.from);
}
Task<> answer(Agent& me, bool is_silent) {
  const Message question = co_await me.receive();
  if (!is_silent) me.send(question.from, question.round, scalar(me.id()));
}

template <class Host>
void spawn_averages(Host& host, AgentId agents) {
  for (AgentId id = 0; id < agents; ++id)
    host.spawn(
        id, [id](Agent& me) { return average(me, id); }, Host::Role::main);
}

}  // namespace

TEST_CASE("Agents exchange and compute the same numbers in a real world", "[threads]") {
  constexpr AgentId agents = 3;
  Mailroom mailroom(Network(agents, ring({10, 10, 10})));
  spawn_averages(mailroom.agents(), agents);
  mailroom.run();
  CHECK(mailroom.agents().unfinished() == 0);

  struct Recording : Recorder {
    void reported(AgentId agent, Round, std::span<const VectorView> parts) override {
      values[agent].push_back(parts.front()[0]);
    }
    std::map<AgentId, std::vector<double>> values;
  } recording;
  World world(agents, ring({10, 10, 10}));
  world.sim.record(recording);
  spawn_averages(world.sim, agents);
  world.run();
  CHECK(recording.values.at(0).size() == 5);
  CHECK(mailroom.reported == recording.values);
}

TEST_CASE("A collection in a real world ends with the deadline if an answer is missing", "[threads]") {
  constexpr AgentId clients = 3;
  Mailroom mailroom(Network(clients + 1, star({10, 10, 10})));
  std::vector<AgentId> answered;
  mailroom.agents().spawn(
      0, [&](Agent& me) { return ask_all(me, answered); }, Host::Role::main);
  for (AgentId id = 1; id <= clients; ++id)
    mailroom.agents().spawn(
        id, [id](Agent& me) { return answer(me, id == clients); }, Host::Role::daemon);
  mailroom.run();
  CHECK(mailroom.agents().unfinished() == 0);
  CHECK(answered == std::vector<AgentId>{1, 2});
}

TEST_CASE("A real world can run its agents without numbers", "[threads]") {
  Mailroom mailroom(Network(3, ring({10, 10, 10})), /*timing_only=*/true);
  spawn_averages(mailroom.agents(), 3);
  mailroom.run();
  CHECK(mailroom.agents().unfinished() == 0);
  CHECK(mailroom.reported.empty());
}

TEST_CASE("A message that never comes leaves its receiver waiting, and the pool says for whom", "[threads]") {
  Mailroom mailroom(Network(2, line({10})));
  const auto never_sends = [](Agent& me) -> Task<> {
    auto nothing = [] {};
    const Cost work(1);
    co_await me.compute(work, nothing);
  };
  mailroom.agents().spawn(
      0, [](Agent& me) { return average(me, 1); }, Host::Role::main);
  mailroom.agents().spawn(1, never_sends, Host::Role::main);
  mailroom.run();
  CHECK(mailroom.agents().unfinished() == 1);
  CHECK(std::as_const(mailroom.agents())[0].waits_for() == "exchange 1 with agents 1");
}

}  // namespace lagnet::runtime_test
