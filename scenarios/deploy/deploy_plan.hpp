#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scenarios/format/scenario.hpp"
#include "sim/realtime/frames/frame.hpp"
#include "sim/realtime/peers.hpp"

namespace lagnet {

/// One process of a plan: where it listens, and which agents it runs.
struct PlannedProcess {
  std::string host;
  std::int64_t port = 0;
  std::vector<std::int64_t> agents;
  static void fields(auto& self, auto& field) {
    constexpr int last_port = 65535;
    field("host", self.host, "name or address at which the others reach it", any_value().required());
    field("port", self.port, "TCP port at which it listens", within(1, last_port).required());
    field("agents", self.agents, "the agents that it runs", at_least(0));
  }
  void check(auto& report) const {
    if (host.empty()) report("host", "a name or an address");
    if (agents.empty()) report("agents", "one agent or more");
  }
};

/// The assignment of agents to processes and computers: the same file for all processes. The scenario in it has every
/// default filled in; its paths are relative to the plan's folder, in which each computer has the data, or its share of
/// them.
struct DeployPlan {
  static constexpr std::int64_t format = 1;
  std::int64_t version = format;
  Json scenario = Json::object();
  std::vector<PlannedProcess> processes;
  static void fields(auto& self, auto& field) {
    field("lagnet_plan", self.version, "version of this format", within(format, format).required());
    field("scenario", self.scenario, "the scenario", any_value().required());
    field("processes", self.processes, "the processes, numbered from 0");
  }
  void check(auto& report) const {
    if (processes.empty()) report("processes", "one process or more");
  }

  /// By agent; the plan must be that of as many.
  std::vector<std::uint32_t> process_of(AgentId agents) const;
  std::vector<AgentId> agents_of(std::uint32_t process) const;  // ascending
  std::vector<PeerAddress> addresses() const;
  /// SHA-256 of the scenario.
  Hello::Digest digest() const;
};

/// A plan with its scenario, made of a file.
struct ReadPlan {
  DeployPlan plan;
  ScenarioFile scenario;
};

/// Throws Diagnosed with all problems.
ReadPlan read_plan(const std::filesystem::path& file);

/// The problems of a plan for this many agents: agents that no process runs, that two processes run, or that do not
/// exist.
void check_plan(const DeployPlan& plan, AgentId agents, const std::string& shown);

/// The text of a plan for a file in that folder.
std::string plan_text(const Scenario& scenario, std::vector<PlannedProcess> processes,
                      const std::filesystem::path& folder);

/// The processes of a text with one HOST:PORT a line, perhaps with the agents that run there ("10.0.0.2:7700 3 4 5");
/// where no line names any, agents are spread over all. Empty lines, and what follows a #, say nothing. Throws
/// Diagnosed with all problems.
std::vector<PlannedProcess> read_hosts(const std::string& text, AgentId agents, const std::string& shown);

}  // namespace lagnet
