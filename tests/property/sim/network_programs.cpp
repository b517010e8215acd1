#include "tests/property/sim/network_programs.hpp"

#include <algorithm>
#include <utility>

namespace lagnet::test {

namespace {

constexpr Purpose program{"program"};
constexpr MessageTag letter = 1, answer = 2;

/// An agent with its state: what all programs do.
struct Self {
  Self(Agent& agent, const NetworkWorld& its_world, ProgramState& its_state)
      : me(agent), world(its_world), state(its_state) {
    state.value = 1 + me.id();
    state.numbers.clear();
    look();
  }

  void look() const {
    if (me.now() < state.clock) state.clock_went_back = true;
    state.clock = me.now();
  }
  void report(Round round) const {
    const Vector iterate = Vector::Constant(1, state.value);
    me.report(round, iterate);
  }
  /// A body: its own number, the value, a one to count by, and as many entries more, half of them zeros.
  Vector body(Index size) const {
    Vector made = Vector::Zero(size);
    for (Index k = 3; k < size; k += 2) made[k] = state.value;
    made[0] = 1000 * ++state.sent + me.id();
    made[1] = state.value;
    made[2] = 1;
    return made;
  }
  void take(const Message& message) const {
    if (message.body.size() < 3) return;
    if (!state.numbers.insert(message.body.data()[0]).second) state.took_one_twice = true;
    state.value += 0.01 * message.body.data()[1];
  }
  void take_collected(const std::vector<Message>& messages, std::vector<AgentId> cohort) const {
    look();
    state.mail += std::ssize(messages);
    for (const Message& message : messages) {
      take(message);
      std::erase(cohort, message.from);
    }
    state.unanswered += std::ssize(cohort);
    if (!std::ranges::is_sorted(messages, {}, &Message::from)) state.miscounted = true;
  }
  /// How many neighbors the agent hears in the round.
  std::ptrdiff_t around(Round round) const {
    if (!world.topology) return me.in_degree();
    const Network network = world.network();
    std::ptrdiff_t count = 0;
    for (const AgentId from : me.in_neighbors())
      count += world.topology->active(network.find(from, me.id()), round, 0) ? 1 : 0;
    return count;
  }
  void take_exchanged(Round round, const std::vector<Message>& messages) const {
    look();
    state.expected += around(round);
    if (std::ssize(messages) + std::ssize(me.absent()) != me.in_degree()) state.miscounted = true;
    for (const Message& message : messages) {
      if (message.staleness != round - message.round) state.miscounted = true;
      if (message.staleness == 0) take(message);
    }
  }
  void take_sum(Round round, const Vector& sum) const {
    look();
    state.expected += around(round);
    // Ones are added, so the count is exact.
    if (sum[2] != static_cast<double>(me.in_degree() - std::ssize(me.absent()))) state.miscounted = true;
    state.value = 0.5 * state.value + 0.1 * sum[1];
  }

  Agent& me;
  const NetworkWorld& world;
  ProgramState& state;
};

Task<> exchange(Agent& me, const Self& self, Round round, int number) {
  const Vector body = self.body(self.world.size);
  // Neighbors need not fetch what they exchange in the same way.
  Draws draws(me.draws(program, 1000 * round + number));
  const GossipRow row{.own = 0, .neighbors = std::vector<double>(me.in_neighbors().size(), 1)};
  switch (draws.below(3)) {
    case 0: {
      const std::vector<Message> messages = co_await me.exchange(body);
      self.take_exchanged(round, messages);
      break;
    }
    case 1: {
      const Vector sum = co_await me.neighbor_sum(body);
      self.take_sum(round, sum);
      break;
    }
    default: {
      const Vector mix = co_await me.neighbor_mix(body, row);
      self.take_sum(round, mix);
    }
  }
}

Task<> gossip(Agent& me, const NetworkWorld& world, ProgramState& state) {
  const Self self(me, world, state);
  const auto kernel = [&state] { state.value = 0.5 * state.value + 1; };
  self.report(0);
  for (Round t = 1; t <= world.rounds; t = me.next_round(t)) {
    Draws draws = me.draws(program, t);
    for (int k = 0; k < world.exchanges; ++k) {
      co_await exchange(me, self, t, k);
      co_await me.compute(static_cast<Flops>(draws.below(10'000)));
      self.look();
    }
    if (draws.bernoulli(0.3)) co_await me.compute(static_cast<Flops>(draws.below(10'000)), kernel);
    if (draws.bernoulli(0.2)) co_await me.encrypt(world.size);
    self.report(t);
  }
}

Task<> serve(Agent& me, const NetworkWorld& world, ProgramState& state) {
  const Self self(me, world, state);
  const auto kernel = [&state] { state.value *= 0.5; };
  for (Round t = 1; t <= world.rounds; ++t) {
    Cohort cohort = me.cohort(t);
    const std::vector<AgentId> asked = cohort.members;
    const Vector question = self.body(world.size);
    for (const AgentId client : asked) me.send(client, t, question, letter);
    const std::vector<Message> answers = co_await me.collect(t, std::move(cohort), answer);
    self.take_collected(answers, asked);
    co_await me.compute(5000, kernel);
    self.report(t);
  }
}

/// Answers each letter, or the newest alone.
Task<> answering(Agent& me, const NetworkWorld& world, ProgramState& state) {
  const Self self(me, world, state);
  const auto kernel = [&state] { state.value = 0.9 * state.value + 0.1; };
  const bool only_latest = me.draws(program, 0).bernoulli(0.5);
  for (;;) {
    Message message;
    if (only_latest)
      message = co_await me.receive_latest();
    else
      message = co_await me.receive();
    self.look();
    ++state.mail;
    if (message.tag != letter) continue;
    co_await me.compute(static_cast<Flops>(me.draws(program, message.round).below(20'000)), kernel);
    const Vector body = self.body(3 + static_cast<Index>(me.id()));
    me.send(message.from, message.round, body, answer);
  }
}

/// One random thing after another.
Task<> mail(Agent& me, const NetworkWorld& world, ProgramState& state) {
  const Self self(me, world, state);
  const auto kernel = [&state] { state.value = 0.5 * state.value + 1; };
  const std::vector<AgentId> around(me.neighbors().begin(), me.neighbors().end());
  const bool exchanges = world.style == Style::mixed;
  self.report(0);
  for (Round t = 1; t <= world.rounds; t = exchanges ? me.next_round(t) : t + 1) {
    Draws draws = me.draws(program, t);
    const auto some = [&draws] { return Duration::nanoseconds(5000 * static_cast<std::int64_t>(draws.below(10))); };
    const Vector to_all = self.body(3 + static_cast<Index>(draws.below(30))), to_one = self.body(3), empty;
    if (draws.bernoulli(0.5)) me.broadcast(t, to_all, letter);
    if (draws.bernoulli(0.5)) me.send(around[draws.below(around.size())], t, to_one, letter);
    if (draws.bernoulli(0.3)) me.send(around[draws.below(around.size())], t, empty, letter);
    if (draws.bernoulli(0.5)) co_await me.sleep(some());
    if (draws.bernoulli(0.3)) co_await me.compute(static_cast<Flops>(draws.below(30'000)), kernel);
    self.look();
    if (draws.bernoulli(0.5)) {
      const Time deadline = me.now() + some() + some();
      const std::vector<Message> messages = co_await me.collect(t, around, deadline, exchanges ? letter : answer);
      self.take_collected(messages, around);
    }
    if (exchanges) co_await exchange(me, self, t, 0);
    self.report(t);
  }
}

}  // namespace

void spawn_programs(const NetworkWorld& world, Simulation& sim, std::vector<ProgramState>& states) {
  Draws draws(world.options.seed, Purpose{"roles"});
  for (AgentId a = 0; a < world.agents; ++a) {
    ProgramState& state = states[a];
    const bool daemon =
        world.style == Style::rounds ? a > 0 : world.style == Style::mail && a > 0 && draws.bernoulli(0.5);
    Task<> (*const task)(Agent&, const NetworkWorld&, ProgramState&) = daemon                         ? answering
                                                                       : world.style == Style::rounds ? serve
                                                                       : world.style == Style::gossip ? gossip
                                                                                                      : mail;
    sim.spawn(
        a, [task, &world, &state](Agent& me) { return task(me, world, state); },
        daemon ? Simulation::Role::daemon : Simulation::Role::main);
  }
}

}  // namespace lagnet::test
