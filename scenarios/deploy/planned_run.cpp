#include "scenarios/deploy/planned_run.hpp"

#include <fmt/format.h>

#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/deploy/deployable.hpp"
#include "scenarios/deploy/write_told_run.hpp"
#include "scenarios/files/result_folder.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

struct PlannedExperiment {
  DeployPlan plan;
  Experiment experiment;
};

PlannedExperiment read_experiment(const fs::path& file) {
  ReadPlan read = read_plan(file);
  ExperimentCache cache;
  Experiment experiment = assemble(read_scenario(read.scenario), read.scenario.shown, cache);
  check_deployable(experiment, read.scenario.shown);
  check_plan(read.plan, experiment.network->agents(), file.string());
  return {std::move(read.plan), std::move(experiment)};
}

}  // namespace

void run_planned_agent(const fs::path& file, const PlannedAgentOptions& options) {
  const PlannedExperiment planned = read_experiment(file);
  const AgentId agents = planned.experiment.network->agents();
  if (options.agent >= agents)
    throw RunError(fmt::format("--id: expected an agent from 0 to {}, found {}", agents - 1, options.agent));
  AgentProcess process{.process_of = planned.plan.process_of(agents), .addresses = planned.plan.addresses()};
  process.process = process.process_of[options.agent];
  process.tls = security_of(planned.plan, file, process.process, options.security);
  process.incarnation = options.incarnation;
  process.scenario = planned.plan.digest();
  process.log = options.record;
  process.threads = options.threads;
  process.patience = options.patience;
  process.warn = options.warn;
  run_agent_process(planned.experiment, process);
}

Outcome collect_records(const fs::path& file, const std::vector<fs::path>& records, const fs::path& out,
                        const std::function<void(const std::string&)>& warn) {
  check_replaceable(out);
  const PlannedExperiment planned = read_experiment(file);
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
