#include "scenarios/deploy/planned_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/deploy/deployable.hpp"
#include "scenarios/deploy/write_told_run.hpp"
#include "scenarios/files/result_folder.hpp"
#include "sim/base/errors.hpp"
#include "sim/realtime/addresses.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

void check_secure(const DeployPlan& plan, const std::string& shown) {
  Diagnostics diagnostics(shown);
  for (std::size_t process = 0; process < plan.processes.size(); ++process)
    if (const std::string& host = plan.processes[process].host; !is_loopback(host))
      diagnostics.add(fmt::format("/processes/{}/host", process),
                      "an address of this computer alone (127.0.0.1), or --insecure, with which whoever is on the way "
                      "can read and change all messages",
                      host);
  diagnostics.throw_if_any();
}

}  // namespace

PlannedExperiment read_planned_experiment(const fs::path& file) {
  ReadPlan read = read_plan(file);
  ExperimentCache cache;
  Experiment experiment = assemble(read_scenario(read.scenario), read.scenario.shown, cache);
  check_deployable(experiment, read.scenario.shown);
  check_plan(read.plan, experiment.network->agents(), file.string());
  return {file.string(), std::move(read.plan), std::move(experiment)};
}

AgentProcess planned_process(const PlannedExperiment& planned, const PlannedAgentOptions& options) {
  const AgentId agents = planned.experiment.network->agents();
  if (options.agent >= agents)
    throw RunError(fmt::format("--id: expected an agent from 0 to {}, found {}", agents - 1, options.agent));
  if (!options.is_insecure) check_secure(planned.plan, planned.shown);
  AgentProcess process{.process_of = planned.plan.process_of(agents), .addresses = planned.plan.addresses()};
  process.process = process.process_of[options.agent];
  process.incarnation = options.incarnation;
  process.scenario = planned.plan.digest();
  process.log = options.record;
  process.threads = options.threads;
  process.patience = options.patience;
  process.warn = options.warn;
  return process;
}

void run_planned_agent(const fs::path& file, const PlannedAgentOptions& options) {
  const PlannedExperiment planned = read_planned_experiment(file);
  run_agent_process(planned.experiment, planned_process(planned, options));
}

Outcome collect_records(const fs::path& file, const std::vector<fs::path>& records, const fs::path& out,
                        const std::function<void(const std::string&)>& warn) {
  check_replaceable(out);
  const PlannedExperiment planned = read_planned_experiment(file);
  if (records.size() != planned.plan.processes.size())
    throw RunError(
        fmt::format("expected the records of {} processes, found {}", planned.plan.processes.size(), records.size()));
  RunOptions recording;
  recording.warn = warn;
  return write_told_run(planned.experiment, records, out, recording);
}

void make_plan(const ScenarioFile& file, const fs::path& hosts, const fs::path& out) {
  const Scenario scenario = read_scenario(file);
  ExperimentCache cache;
  const Experiment experiment = assemble(scenario, file.shown, cache);
  check_deployable(experiment, file.shown);
  auto processes = read_hosts(read_file(hosts), experiment.network->agents(), hosts.string());
  const std::string text = plan_text(scenario, std::move(processes), fs::absolute(out).parent_path());
  replace_file(out, text);
  try {
    check_plan(read_plan(out).plan, experiment.network->agents(), hosts.string());
  } catch (...) {
    fs::remove(out);
    throw;
  }
}

}  // namespace lagnet
