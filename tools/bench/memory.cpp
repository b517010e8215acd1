#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <utility>
#include <vector>

#include "sim/engine/simulation.hpp"
#include "tools/bench/table.hpp"

/// Resident bytes of a world for each of its agents, all of whom wait in receive(): alone, or on a ring with their two
/// links, or there with a message of one number from each to the next under way. Each world lives in a process of its
/// own, so that none profits from what another one gave back.
namespace lagnet::bench {

namespace {

double resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  double total_pages = 0, resident_pages = 0;
  statm >> total_pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

Task<> wait_for_mail(Agent& me) {
  for (;;) co_await me.receive();
}
Task<> send_and_wait(Agent& me) {
  me.send(me.neighbors().back(), 1, Vector::Ones(1));
  for (;;) co_await me.receive();
}
Task<> end_at_once(Agent& me) { co_await me.sleep(Duration()); }

struct World {
  const char* name;
  bool ring;
  bool messages;
};
constexpr World worlds[] = {
    {"idle agents/no links", false, false}, {"idle agents/ring", true, false}, {"a message each/ring", true, true}};

Network make_network(AgentId agents, bool ring) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; ring && a < agents; ++a) {
    const AgentId next = (a + 1) % agents;
    links.push_back({.from = a, .to = next, .latency = Duration::seconds(1)});
    links.push_back({.from = next, .to = a, .latency = Duration::seconds(1)});
  }
  return Network(agents, std::move(links));
}

double bytes_of_world(AgentId agents, const World& kind) {
  const double before = resident_bytes();
  Simulation world(make_network(agents, kind.ring), ComputeModel(std::vector<double>(agents, 1.0)),
                   SimulationOptions());
  world.spawn(0, end_at_once(world.agent(0)));  // one agent has to end the run
  const auto program = kind.messages ? send_and_wait : wait_for_mail;
  for (AgentId a = 1; a < agents; ++a) world.spawn(a, program(world.agent(a)), Simulation::Role::daemon);
  world.run();
  return resident_bytes() - before;
}

/// The same in a child process; below 0 if that fails.
double bytes_in_child(AgentId agents, const World& kind) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const double bytes = bytes_of_world(agents, kind);
    _exit(write(ends[1], &bytes, sizeof bytes) == sizeof bytes ? 0 : 1);
  }
  close(ends[1]);
  double bytes = -1;
  if (child < 0 || read(ends[0], &bytes, sizeof bytes) != sizeof bytes) bytes = -1;
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return bytes;
}

void measure(benchmark::State& state, AgentId agents, const World& kind) {
  double bytes = 0;
  for (auto _ : state) bytes = bytes_in_child(agents, kind);
  if (bytes < 0) return state.SkipWithError("the child process did not answer");
  state.counters["bytes_per_agent"] = bytes / agents;
}

void register_worlds() {
  for (const World& kind : worlds)
    for (const AgentId agents : {100'000u, 1'000'000u})
      benchmark::RegisterBenchmark(fmt::format("{}/{}", kind.name, agents).c_str(), [agents,
                                                                                     kind](benchmark::State& state) {
        measure(state, agents, kind);
      })->Iterations(1);
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  lagnet::bench::register_worlds();
  return lagnet::bench::run_benchmarks(argc, argv);
}
