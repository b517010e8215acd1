#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/deploy/deploy_plan.hpp"
#include "scenarios/deploy/keys.hpp"
#include "scenarios/files/output_file.hpp"
#include "scenarios/run/outcome.hpp"
#include "sim/base/remark.hpp"

namespace lagnet {

struct PlannedAgentOptions {
  AgentId agent = 0;             // its process runs all agents that the plan gives it
  std::filesystem::path record;  // gets their events, or the measurements
  SecurityOptions security = {};
  std::string listen;  // address to listen at; empty: the plan's address
  unsigned threads = 1;
  std::chrono::milliseconds patience{30'000};
  std::function<void(const Remark&)> warn = {};
};

/// A plan, and what its scenario describes.
struct PlannedExperiment {
  std::string shown;  // the plan's file
  DeployPlan plan;
  Experiment experiment;
};

/// With an agent: for its process alone, which takes its share of the data where there are shares (shares_folder()),
/// and reads no others then. Throws Diagnosed with all problems of a plan, and RunError for one of agents that
/// cannot be processes, and for a share that is not of this plan.
PlannedExperiment read_planned_experiment(const std::filesystem::path& plan, std::optional<AgentId> agent = {});

/// The process of an agent, as the plan says. Throws RunError where there is no such agent, and what security_of()
/// throws.
AgentProcess planned_process(const PlannedExperiment& planned, const PlannedAgentOptions& options);

/// Runs the process of an agent, as the plan says, until its agents have ended. An earlier record, FILE, is renamed to
/// FILE.1, or to the next number that is free. Throws Diagnosed for a plan that cannot be used, RunError, also for
/// a file that is no record, and what run() throws.
void run_planned_agent(const std::filesystem::path& plan, const PlannedAgentOptions& options);

/// Writes the folder of the run from the records of all its processes; a restarted process has several, the earlier
/// ones first. Throws as run_planned_agent(), and OutputError.
Outcome collect_records(const std::filesystem::path& plan, const std::vector<std::filesystem::path>& records,
                        const std::filesystem::path& out, bool replaces = false,
                        const std::function<void(const Remark&)>& warn = {});

/// Writes the plan of a scenario for the processes that `hosts` lists; see read_hosts(). Throws Diagnosed with all
/// problems, and OutputError.
void make_plan(const ScenarioFile& file, const std::filesystem::path& hosts, const OutputFile& out);

}  // namespace lagnet
