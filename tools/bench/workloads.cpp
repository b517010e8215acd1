#include "tools/bench/workloads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "algorithms/asynchronous/async_gradient.hpp"
#include "algorithms/federated/fed_avg.hpp"
#include "algorithms/objectives/losses/losses.hpp"
#include "algorithms/objectives/regularizers/regularizers.hpp"

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

/// As many answers as in this number of rounds; each of them gets a question back at once.
Task<> serve_each(Agent& me, Round rounds) {
  const auto clients = me.neighbors();
  Vector x = Vector::Zero(1);
  for (const AgentId client : clients) me.send(client, 0, x);
  for (Round v = 1; v <= rounds * static_cast<Round>(clients.size()); ++v) {
    const Message answer = co_await me.receive();
    x[0] += answer.body.data()[0];
    me.send(answer.from, v, x);
  }
}

Task<> answer_always(Agent& me) {
  for (;;) {
    const Message question = co_await me.receive();
    const Vector reply = question.body.view() / 2;
    me.send(0, question.round, reply);
  }
}

Task<> serve_or_answer_each(Agent& me, Round rounds) {
  return me.id() == 0 ? serve_each(me, rounds) : answer_always(me);
}

Task<> serve_or_answer(Agent& me, Round rounds) { return me.id() == 0 ? serve(me, rounds) : answer(me, rounds); }

/// Clients with a sample of one number each, and no numbers.
MethodInput clients_without_numbers(AgentId agents, Round rounds) {
  const Index clients = Index{agents} - 1;
  MethodInput given{.problem = {.X = std::make_shared<const DataMatrix>(DataMatrix::of_shape(clients, 1)),
                                .y = Vector::Zero(clients),
                                .samples = clients,
                                .loss = make_loss(SquaredOptions{}),
                                .regularizer = make_regularizer(NoneOptions{})},
                    .sample_starts = {0},
                    .rounds = rounds,
                    .timing_only = true};
  for (Index k = 0; k <= clients; ++k) given.sample_starts.push_back(k);
  given.network.agents = agents;
  return given;
}

std::unique_ptr<const Algorithm> averages_in_rounds(AgentId agents, Round rounds) {
  return std::make_unique<FedAvg>(FedAvgOptions{{.client_step = 0.1}}, clients_without_numbers(agents, rounds));
}

/// As many updates as there are clients take the messages of a round.
std::unique_ptr<const Algorithm> gradients_as_they_come(AgentId agents, Round rounds) {
  const Round updates = rounds * (Round{agents} - 1);
  return std::make_unique<AsyncGradient>(AsyncGradientOptions{.step = 0.1}, clients_without_numbers(agents, updates));
}

std::int64_t there_and_back(AgentId agents) { return 2 * (std::int64_t{agents} - 1); }

constexpr std::array all{
    Workload{"ring_hops", "send to the next agent, receive from the one before; each link has its latency",
             ring_of_drawn_latencies, hop, nullptr, [](AgentId agents) { return std::int64_t{agents}; }},
    Workload{"ring_sums", "neighbor_sum over equal latencies: broadcasts, and one batch a round",
             ring_of_equal_latencies, sum, nullptr,
             [](AgentId agents) { return agents > 2 ? 2 * std::int64_t{agents} : 2; }},
    Workload{"star_rounds", "broadcast to all clients and collect their answers; each link has its latency", star,
             serve_or_answer, nullptr, there_and_back},
    Workload{"star_answers", "answer each message of a client as it comes; each link has its latency", star,
             serve_or_answer_each, nullptr, there_and_back, true},
    Workload{"star_averages", "fed_avg without numbers: as star_rounds, with what the method does beside", star,
             nullptr, averages_in_rounds, there_and_back},
    Workload{"star_gradients", "async_gradient without numbers: as star_answers, with what the method does beside",
             star, nullptr, gradients_as_they_come, there_and_back, true},
};

}  // namespace

std::span<const Workload> workloads() { return all; }

BenchWorld make_world(const Workload& workload, AgentId agents, Round rounds) {
  const double free_computation = std::numeric_limits<double>::infinity();
  BenchWorld made;
  SimulationOptions options{.timing_only = workload.method != nullptr};
  made.world = std::make_unique<Simulation>(
      workload.network(agents), ComputeModel(std::vector<double>(agents, free_computation)), std::move(options));
  if (workload.method) {
    made.method = workload.method(agents, rounds);
    made.method->spawn(*made.world);
    return made;
  }
  for (AgentId a = 0; a < agents; ++a) {
    const bool goes_on = workload.ends_with_server && a != 0;
    made.world->spawn(a, workload.program(made.world->agent(a), rounds),
                      goes_on ? Simulation::Role::daemon : Simulation::Role::main);
  }
  return made;
}

}  // namespace lagnet::bench
