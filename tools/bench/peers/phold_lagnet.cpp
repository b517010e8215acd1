#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/accounts/ledger.hpp"
#include "sim/accounts/trace.hpp"
#include "sim/engine/simulation.hpp"
#include "tools/bench/peers/measured.hpp"
#include "tools/bench/peers/phold.hpp"

/// PHOLD with lagnet's agents, with ledger and trace hash; with the word "alone" after the numbers, without them.
namespace lagnet::bench {

namespace {

struct Run {
  const Phold& phold;
  Simulation& world;
  std::int64_t population;
  std::int64_t arrivals;  // that are still to come
};

Task<> send_on(Agent& me, Run& run) {
  const Phold& phold = run.phold;
  for (std::int64_t message = me.id(); message < run.population; message += phold.agents())
    me.send(phold.neighbor(me.id(), phold.choice(message, 0)), 0, Vector::Constant(1, static_cast<double>(message)));
  for (;;) {
    const Message came = co_await me.receive();
    if (--run.arrivals == 0) run.world.stop();
    const Round hops = came.round + 1;
    const auto link = phold.choice(static_cast<std::int64_t>(came.body.data()[0]), hops);
    me.send(phold.neighbor(me.id(), link), hops, came.body);
  }
}

Network make_network(const Phold& phold) {
  std::vector<LinkSpec> links;
  for (AgentId a = 0; a < phold.agents(); ++a)
    for (std::uint32_t k = 0; k < phold.degree(); ++k)
      links.push_back({.from = a, .to = phold.neighbor(a, k), .latency = phold.latency(a, k)});
  return Network(phold.agents(), std::move(links));
}

void measure(const PholdArguments& given, bool listen) {
  const Phold phold(given.agents);
  const double free_computation = std::numeric_limits<double>::infinity();
  Simulation world(make_network(phold), ComputeModel(std::vector<double>(given.agents, free_computation)),
                   SimulationOptions());
  Run run{phold, world, given.population, given.arrivals};
  for (AgentId a = 0; a < given.agents; ++a) world.spawn(a, send_on(world.agent(a), run));
  Ledger ledger(given.agents, world.network().links());
  Trace trace;
  if (listen) {
    world.listen(ledger);
    world.listen(trace);
  }
  const double began = cpu_s();
  const Ending ending = world.run();
  print_measured(given.arrivals, cpu_s() - began, ending.last_event.in_seconds());
}

}  // namespace
}  // namespace lagnet::bench

int main(int argc, char** argv) {
  const auto given = lagnet::bench::PholdArguments::read(argc, argv);
  if (!given) return 2;
  lagnet::bench::measure(*given, argc == 4 || argv[4] != std::string_view("alone"));
}
