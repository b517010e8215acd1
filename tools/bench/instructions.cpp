#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/base/errors.hpp"
#include "tools/bench/workloads.hpp"

/// bench_instructions WORKLOAD AGENTS ROUNDS [alone]: runs one workload with ledger and trace hash, or without
/// listeners, and prints the number of its messages; "bench_instructions" alone lists the workloads. It is for
/// valgrind, which counts what Simulation::run does.
int main(int argc, char** argv) {
  using namespace lagnet;
  if (argc == 1) {
    for (const bench::Workload& workload : bench::workloads()) fmt::print("{}\n", workload.name);
    return 0;
  }
  for (const bench::Workload& workload : bench::workloads()) {
    const bool alone = argc == 5 && argv[4] == std::string_view("alone");
    if ((argc != 4 && !alone) || workload.name != std::string_view(argv[1])) continue;
    const auto agents = static_cast<AgentId>(std::strtoul(argv[2], nullptr, 10));
    const Round rounds = std::strtoll(argv[3], nullptr, 10);
    if (agents < 2 || rounds < 1) break;
    const bench::BenchWorld made = bench::make_world(workload, agents, rounds);
    const auto& world = made.world;
    Ledger ledger(agents, world->network().links());
    Trace trace;
    if (!alone) {
      world->listen(ledger);
      world->listen(trace);
    }
    world->run();
    fmt::print("{}\n", workload.messages_a_round(agents) * rounds);
    return 0;
  }
  fmt::print(stderr, "expected a workload, 2 agents or more and 1 round or more\n");
  return 2;
}
