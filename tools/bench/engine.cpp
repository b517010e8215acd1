#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <memory>

#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/errors.hpp"
#include "tools/bench/queue.hpp"
#include "tools/bench/table.hpp"
#include "tools/bench/workloads.hpp"

/// Messages a second of coroutine agents through the whole engine, in CPU time of the run without its setting up, with
/// ledger and trace hash and without any listener.
namespace lagnet::bench {

namespace {

constexpr std::int64_t messages_a_run = 2'000'000;
constexpr int repetitions = 5;

void run_workload(benchmark::State& state, const Workload& workload, AgentId agents, bool listen) {
  const std::int64_t a_round = workload.messages_a_round(agents);
  const Round rounds = messages_a_run / a_round;
  for (auto _ : state) {
    state.PauseTiming();
    BenchWorld made = make_world(workload, agents, rounds);
    std::unique_ptr<Simulation>& world = made.world;
    Ledger ledger(agents, world->network().links());
    Trace trace;
    if (listen) {
      world->listen(ledger);
      world->listen(trace);
    }
    state.ResumeTiming();
    world->run();
    state.PauseTiming();
    const std::int64_t under_way = workload.ends_with_server ? 2 * std::int64_t{agents} : 0;
    const std::int64_t received = ledger.total().messages_received;
    LAGNET_CHECK(!listen || (received <= a_round * rounds + under_way && received >= a_round * rounds - under_way),
                 "{} messages instead of {}", received, a_round * rounds);
    world.reset();
    state.ResumeTiming();
  }
  state.counters["messages_per_s"] =
      benchmark::Counter(static_cast<double>(a_round * rounds), benchmark::Counter::kIsRate);
}

void add(const Workload& workload, AgentId agents, bool listen) {
  benchmark::RegisterBenchmark(
      fmt::format("{}/{}/{}", workload.name, agents, listen ? "ledger+trace" : "nobody listens").c_str(),
      [&workload, agents, listen](benchmark::State& state) { run_workload(state, workload, agents, listen); })
      ->Iterations(1)
      ->Repetitions(repetitions);
}

void register_workloads() {
  for (const Workload& workload : workloads())
    for (const AgentId agents : {1'000u, 100'000u})
      for (const bool listen : {true, false}) add(workload, agents, listen);
  add(workloads().front(), 1'000'000, false);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  lagnet::bench::register_workloads();
  lagnet::bench::register_queues();
  return lagnet::bench::run_benchmarks(argc, argv);
}
