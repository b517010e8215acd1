#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/errors.hpp"
#include "sim/engine/simulation.hpp"
#include "tools/bench/table.hpp"

/// What it costs to share bandwidth: CPU time per message of one and the same star of clients without sharing, first in
/// first out, and max-min fair. The three take turns within each repetition, so that whoever else uses the machine
/// slows all of them, and their ratios can be trusted.
namespace lagnet::bench {

namespace {

constexpr AgentId clients = 1000;
constexpr Round rounds = 50;
constexpr std::int64_t messages = 2 * std::int64_t{clients} * rounds;
constexpr int repetitions = 9;

/// The server's interface takes 10 ms for a message to each client, while the links' latencies differ by 1 ms at most:
/// nearly all messages of a broadcast, and nearly all answers to it, are on their way at once.
constexpr Bytes header_bytes = 992;
constexpr double server_bytes_per_s = 1e8, link_bytes_per_s = 5e7;

struct Clients {
  std::string_view name;
  double lowest_latency_ms = 1, highest_latency_ms = 1;
  /// Drawn with equal densities of their logarithms. A client's share of the server's interface is 1e5 bytes/s.
  double slowest_bytes_per_s = 1e7, fastest_bytes_per_s = 1e7;
};
constexpr std::array kinds{
    Clients{.name = "drawn latencies", .highest_latency_ms = 2},
    Clients{.name = "equal latencies"},
    Clients{
        .name = "drawn bandwidths", .highest_latency_ms = 2, .slowest_bytes_per_s = 0.3e5, .fastest_bytes_per_s = 3e6},
};

Network star(const Clients& kind) {
  const auto drawn = [](const char* what, AgentId from, AgentId to, double low, double high) {
    return low * std::pow(high / low, Draws(1, Purpose{what}, from, to).uniform());
  };
  std::vector<LinkSpec> links;
  std::vector<Interface> interfaces{{server_bytes_per_s, server_bytes_per_s}};
  for (AgentId client = 1; client <= clients; ++client) {
    for (const auto& [from, to] : {std::pair<AgentId, AgentId>(0, client), std::pair<AgentId, AgentId>(client, 0)})
      links.push_back({.from = from,
                       .to = to,
                       .latency = Duration::milliseconds(
                           drawn("latency", from, to, kind.lowest_latency_ms, kind.highest_latency_ms)),
                       .bandwidth_bytes_per_s = link_bytes_per_s});
    const double bytes_per_s = drawn("bandwidth", client, 0, kind.slowest_bytes_per_s, kind.fastest_bytes_per_s);
    interfaces.push_back({bytes_per_s, bytes_per_s});
  }
  return Network(clients + 1, std::move(links), std::move(interfaces));
}

Task<> serve(Agent& me) {
  const std::vector<AgentId> all(me.neighbors().begin(), me.neighbors().end());
  Vector x = Vector::Zero(1);
  for (Round t = 1; t <= rounds; ++t) {
    me.broadcast(t, x);
    const std::vector<Message> answers = co_await me.collect(t, all);
    for (const Message& answer : answers) x[0] += answer.body.data()[0];
  }
}

Task<> answer(Agent& me) {
  for (Round t = 1; t <= rounds; ++t) {
    const Message question = co_await me.receive();
    const Vector reply = question.body.view() / 2;
    me.send(0, t, reply);
  }
}

double cpu_ns() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

struct Cost {
  double ns_per_message = 0;
  double on_the_way = 0;  // messages, in the mean over simulated time
};

Cost run(const Clients& kind, Sharing sharing) {
  SimulationOptions options;
  options.wire.header_bytes = header_bytes;
  options.model.sharing = sharing;
  const double free_computation = std::numeric_limits<double>::infinity();
  Simulation world(star(kind), ComputeModel(std::vector<double>(clients + 1, free_computation)), options);
  for (AgentId a = 0; a <= clients; ++a) world.spawn(a, a == 0 ? serve(world.agent(a)) : answer(world.agent(a)));
  Ledger ledger(clients + 1, world.network().links());
  Trace trace;
  world.listen(ledger);
  world.listen(trace);
  const double began = cpu_ns();
  const Ending ending = world.run();
  const double ns = cpu_ns() - began;
  const AgentAccount& total = ledger.total();
  LAGNET_CHECK(total.messages_received == messages, "{} messages instead of {}", total.messages_received, messages);
  return {ns / static_cast<double>(messages),
          (total.queueing + total.transferring).in_seconds() / ending.last_event.in_seconds()};
}

void measure(benchmark::State& state, const Clients& kind) {
  constexpr std::array sharings{Sharing::none, Sharing::fifo, Sharing::fair};
  constexpr std::array<std::string_view, 3> names{"none", "fifo", "fair"};
  std::array<Cost, 3> costs{};
  for (auto _ : state)
    for (std::size_t k = 0; k < sharings.size(); ++k) costs[k] = run(kind, sharings[k]);
  for (std::size_t k = 0; k < sharings.size(); ++k) {
    state.counters[fmt::format("{}_ns", names[k])] = costs[k].ns_per_message;
    if (k > 0) state.counters[fmt::format("{}/none", names[k])] = costs[k].ns_per_message / costs[0].ns_per_message;
  }
  state.counters["on_the_way"] = costs[2].on_the_way;
}

void register_sharings() {
  for (const Clients& kind : kinds)
    benchmark::RegisterBenchmark(fmt::format("sharing/{}/{}", clients, kind.name).c_str(),
                                 [&kind](benchmark::State& state) { measure(state, kind); })
        ->Iterations(1)
        ->Repetitions(repetitions);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  lagnet::bench::register_sharings();
  return lagnet::bench::run_benchmarks(argc, argv);
}
