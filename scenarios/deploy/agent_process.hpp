#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "sim/base/remark.hpp"
#include "sim/realtime/frames/frame.hpp"
#include "sim/realtime/peers.hpp"

namespace lagnet {

/// One of the processes that a run is deployed to.
struct AgentProcess {
  std::uint32_t process = 0;
  std::vector<std::uint32_t> process_of;  // by agent
  std::vector<PeerAddress> addresses;     // by process
  int listener = -1;                      // see PeersOptions
  std::shared_ptr<const Tls> tls = {};    // see PeersOptions
  std::uint64_t incarnation = 1;
  std::vector<std::uint32_t> left = {};  // processes whose agents have ended, ascending
  Hello::Digest scenario{};
  std::filesystem::path log;  // gets the events of the process
  unsigned threads = 1;
  std::chrono::milliseconds patience{30'000};
  std::function<void(const Remark&)> warn = {};
};

/// Runs the agents of one process to their end, and writes their events. Throws RunError and what Simulation::run()
/// throws.
void run_agent_process(const Experiment& experiment, const AgentProcess& process);

/// How a process reaches the others; `peers` and `limits.links` follow from the network.
PeersOptions peers_options(const Experiment& experiment, const AgentProcess& process);

/// By which processes know that they run the same: of the scenario as it is run, and with it of the data's names.
Hello::Digest digest_of(const Experiment& experiment);

/// The agents in as many processes, one after the other; each has one agent or more.
std::vector<std::uint32_t> spread(AgentId agents, std::uint32_t processes);

}  // namespace lagnet
