#include "tools/bench/workloads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

namespace lagnet::bench {

namespace {

constexpr double lowest_ms = 1, highest_ms = 2;

/// Latencies that make nearly every arrival an instant of its own.
Duration drawn_latency(AgentId from, AgentId to) {
  return Duration::milliseconds(Draws(1, Purpose{"latency"}, from, to).uniform(lowest_ms, highest_ms));
}
Duration equal_latency(AgentId /*from*/, AgentId /*to*/) { return Duration::milliseconds(lowest_ms); }

template <class Latency>
void join(std::vector<LinkSpec>& links, AgentId a, AgentId b, const Latency& latency) {
  links.push_back({.from = a, .to = b, .latency = latency(a, b)});
  links.push_back({.from = b, .to = a, .latency = latency(b, a)});
}

template <class Latency>
Network ring(AgentId agents, const Latency& latency) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a + 1 < agents; ++a) join(links, a, a + 1, latency);
  if (agents > 2) join(links, agents - 1, 0, latency);
  return Network(agents, std::move(links));
}
Network ring_of_drawn_latencies(AgentId agents) { return ring(agents, drawn_latency); }
Network ring_of_equal_latencies(AgentId agents) { return ring(agents, equal_latency); }

Network star(AgentId agents) {
  std::vector<LinkSpec> links;
  for (AgentId a = 1; a < agents; ++a) join(links, 0, a, drawn_latency);
  return Network(agents, std::move(links));
}

Task<> hop(Agent& me, Round rounds) {
  const auto around = me.neighbors();
  const AgentId next = std::ranges::binary_search(around, me.id() + 1) ? me.id() + 1 : 0;
  double x = me.id();
  for (Round t = 1; t <= rounds; ++t) {
    me.send(next, t, VectorView(&x, 1));
    const Message message = co_await me.receive();
    x = (x + message.body.data()[0]) / 2;
  }
}

Task<> sum(Agent& me, Round rounds) {
  Vector x = Vector::Constant(1, me.id());
  for (Round t = 1; t <= rounds; ++t) {
    const Vector around = co_await me.neighbor_sum(x);
    x = (x + around) / 3;
  }
}

Task<> serve(Agent& me, Round rounds) {
  const auto around = me.neighbors();
  const std::vector<AgentId> clients(around.begin(), around.end());
  Vector x = Vector::Zero(1);
  for (Round t = 1; t <= rounds; ++t) {
    me.broadcast(t, x);
    const std::vector<Message> answers = co_await me.collect(t, clients);
    for (const Message& answer : answers) x[0] += answer.body.data()[0];
  }
}

Task<> answer(Agent& me, Round rounds) {
  for (Round t = 1; t <= rounds; ++t) {
    const Message question = co_await me.receive();
    const Vector reply = question.body.view() / 2;
    me.send(0, t, reply);
  }
}

Task<> serve_or_answer(Agent& me, Round rounds) { return me.id() == 0 ? serve(me, rounds) : answer(me, rounds); }

constexpr std::array all{
    Workload{"ring_hops", "send to the next agent, receive from the one before; each link has its latency",
             ring_of_drawn_latencies, hop, [](AgentId agents) { return std::int64_t{agents}; }},
    Workload{"ring_sums", "neighbor_sum over equal latencies: broadcasts, and one batch a round",
             ring_of_equal_latencies, sum, [](AgentId agents) { return agents > 2 ? 2 * std::int64_t{agents} : 2; }},
    Workload{"star_rounds", "broadcast to all clients and collect their answers; each link has its latency", star,
             serve_or_answer, [](AgentId agents) { return 2 * (std::int64_t{agents} - 1); }},
};

}  // namespace

std::span<const Workload> workloads() { return all; }

std::unique_ptr<Simulation> make_world(const Workload& workload, AgentId agents, Round rounds) {
  const double free_computation = std::numeric_limits<double>::infinity();
  auto world = std::make_unique<Simulation>(
      workload.network(agents), ComputeModel(std::vector<double>(agents, free_computation)), SimulationOptions());
  for (AgentId a = 0; a < agents; ++a) world->spawn(a, workload.program(world->agent(a), rounds));
  return world;
}

}  // namespace lagnet::bench
