#include "scenarios/deploy/planned_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/deploy/deployable.hpp"
#include "scenarios/deploy/share_file.hpp"
#include "scenarios/deploy/told_run.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "sim/base/errors.hpp"
#include "sim/realtime/event_log.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Renames an earlier record: `collect` needs that of a process that was killed, and no other one is to be lost. Throws
/// RunError for a file that is no record.
void keep_earlier(const fs::path& record) {
  if (!fs::is_regular_file(record) || fs::file_size(record) == 0) return;
  EventLogReader log(record);
  while (log.next()) {
  }
  if (!log.has_started()) return;
  fs::path kept;
  for (int k = 1; kept.empty() || fs::exists(kept); ++k) kept = record.string() + fmt::format(".{}", k);
  fs::rename(record, kept);
}

/// Throws RunError with all that is wrong: records of other plans, and processes without a record.
void check_records(const DeployPlan& plan, const std::vector<fs::path>& records) {
  Diagnostics diagnostics("records");
  std::set<std::int64_t> missing;
  for (std::size_t process = 0; process < plan.processes.size(); ++process)
    missing.insert(static_cast<std::int64_t>(process));
  for (const fs::path& record : records) {
    const EventLogReader log(record);
    if (!log.has_started()) continue;
    if (log.start().scenario != plan.digest() || log.start().process >= plan.processes.size())
      diagnostics.add({record.string(), "a record of a process of this plan", "one of another plan"});
    missing.erase(log.start().process);
  }
  for (const std::int64_t process : missing)
    diagnostics.add({fmt::format("process {}", process),
                     fmt::format("a record of agents {}",
                                 fmt::join(plan.processes[static_cast<std::size_t>(process)].agents, ", ")),
                     ""});
  diagnostics.throw_if_any();
}

/// Nothing where no shares are: all data are read then.
std::optional<DataShare> share_of_process(const DeployPlan& plan, const fs::path& file, AgentId agent) {
  if (!fs::exists(shares_folder(file))) return std::nullopt;
  for (std::uint32_t process = 0; process < plan.processes.size(); ++process)
    if (std::ranges::count(plan.processes[process].agents, std::int64_t{agent}) > 0)
      return read_share(share_file(file, process), plan, process);
  throw RunError(fmt::format("--id: expected an agent of the plan, found {}", agent));
}

}  // namespace

PlannedExperiment read_planned_experiment(const fs::path& file, std::optional<AgentId> agent) {
  ReadPlan read = read_plan(file);
  const std::optional<DataShare> share = agent ? share_of_process(read.plan, file, *agent) : std::nullopt;
  ExperimentCache cache;
  Experiment experiment = assemble(read_scenario(read.scenario), read.scenario.shown, cache, share ? &*share : nullptr);
  check_deployable(experiment, read.scenario.shown);
  check_plan(read.plan, experiment.network->agents(), file.string());
  return {file.string(), std::move(read.plan), std::move(experiment)};
}

AgentProcess planned_process(const PlannedExperiment& planned, const PlannedAgentOptions& options) {
  const AgentId agents = planned.experiment.network->agents();
  if (options.agent >= agents)
    throw RunError(fmt::format("--id: expected an agent from 0 to {}, found {}", agents - 1, options.agent));
  AgentProcess process{.process_of = planned.plan.process_of(agents), .addresses = planned.plan.addresses()};
  process.process = process.process_of[options.agent];
  process.tls = security_of(planned.plan, planned.shown, process.process, options.security);
  if (!options.listen.empty()) process.addresses[process.process].host = options.listen;
  process.incarnation = now_as_number();
  process.scenario = planned.plan.digest();
  process.log = options.record;
  process.threads = options.threads;
  process.patience = options.patience;
  process.warn = options.warn;
  return process;
}

void run_planned_agent(const fs::path& file, const PlannedAgentOptions& options) {
  const PlannedExperiment planned = read_planned_experiment(file, options.agent);
  const AgentProcess process = planned_process(planned, options);
  keep_earlier(options.record);
  run_agent_process(planned.experiment, process);
}

Outcome collect_records(const fs::path& file, const std::vector<fs::path>& records, const fs::path& out, bool replaces,
                        const std::function<void(const Remark&)>& warn) {
  check_replaceable(out);
  const PlannedExperiment planned = read_planned_experiment(file);
  if (!replaces) refuse_other_results(planned.experiment.scenario, out);
  check_records(planned.plan, records);
  RunOptions recording;
  recording.warn = warn;
  return write_told_run(planned.experiment, records, out, recording);
}

void make_plan(const ScenarioFile& file, const fs::path& hosts, const OutputFile& out) {
  const Scenario scenario = read_scenario(file);
  ExperimentCache cache;
  const Experiment experiment = assemble(scenario, file.shown, cache);
  check_deployable(experiment, file.shown);
  DeployPlan plan;
  plan.processes = read_hosts(read_file(hosts), experiment.network->agents(), hosts.string());
  check_plan(plan, experiment.network->agents(), hosts.string());
  write_output(out, plan_text(scenario, std::move(plan.processes), fs::absolute(out.path).parent_path()));
}

}  // namespace lagnet
