#include "scenarios/deploy/agent_process.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <utility>

#include "scenarios/files/version.hpp"
#include "sim/base/sha256.hpp"
#include "sim/realtime/event_log.hpp"
#include "sim/realtime/realtime_world.hpp"

namespace lagnet {

namespace {

/// A bound for the bodies of all methods' messages: they are vectors or matrices over features, classes and samples, a
/// few of them in one.
std::size_t largest_body(const Experiment& experiment) {
  constexpr std::size_t numbers_at_most = 8, for_all = 1 << 20;
  const auto features = static_cast<std::size_t>(experiment.data->X.cols());
  const auto samples = static_cast<std::size_t>(experiment.data->X.rows());
  const auto coefficients = static_cast<std::size_t>(experiment.problem.dim());
  const std::size_t bytes = for_all + sizeof(double) * numbers_at_most * (features + samples + 2 * coefficients);
  return std::min(bytes, std::size_t{1} << 31);
}

/// Which start of this computer it is.
std::string boot_id() {
  std::string id;
  std::ifstream("/proc/sys/kernel/random/boot_id") >> id;
  return id;
}

}  // namespace

Hello::Digest digest_of(const Experiment& experiment) {
  const std::string text = write_scenario(experiment.scenario, "/").dump();
  return sha256(std::as_bytes(std::span(text)));
}

std::vector<std::uint32_t> spread(AgentId agents, std::uint32_t processes) {
  std::vector<std::uint32_t> process_of(agents);
  for (AgentId id = 0; id < agents; ++id)
    process_of[id] = static_cast<std::uint32_t>(std::uint64_t{id} * processes / agents);
  return process_of;
}

PeersOptions peers_options(const Experiment& experiment, const AgentProcess& process) {
  PeersOptions peers;
  peers.process = process.process;
  peers.addresses = process.addresses;
  peers.listener = process.listener;
  peers.tls = process.tls;
  peers.incarnation = process.incarnation;
  peers.left = process.left;
  peers.scenario = process.scenario;
  peers.build = std::string(version());
  peers.limits.largest_body = largest_body(experiment);
  return peers;
}

void run_agent_process(const Experiment& experiment, const AgentProcess& process) {
  RealtimeOptions options;
  const SimulationOptions simulated = experiment.simulation_options(process.threads, false);
  options.seed = simulated.seed;
  options.threads = simulated.threads;
  options.end = simulated.end;
  options.wire = simulated.wire;
  options.model = simulated.model;
  options.process_of = process.process_of;
  options.patience = process.patience;
  options.peers = peers_options(experiment, process);
  EventLog log(process.log);
  RealtimeWorld world(*experiment.network, *experiment.compute, std::move(options));
  world.warn_with(process.warn);
  world.at_start([&] {
    log.start({.process = process.process,
               .scenario = process.scenario,
               .wall_ns = world.wall_clock_at_start(),
               .steady_ns = world.steady_clock_at_start(),
               .boot = boot_id()});
  });
  world.listen(log);
  world.record(log);
  world.tell_times_to([&log](const QueueWait& wait) { log.queued(wait); },
                      [&log](const WorkTime& work) { log.worked(work); });
  experiment.algorithm->spawn(world);
  try {
    world.run();
  } catch (...) {
    if (world.steady_clock_at_start() == 0) std::filesystem::remove(process.log);  // nothing is in it
    throw;
  }
  log.end(world.now(), world.waits_under_way());
}

}  // namespace lagnet
