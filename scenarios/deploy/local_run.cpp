#include "scenarios/deploy/local_run.hpp"

#include <fmt/format.h>

#include <vector>

#include "scenarios/deploy/agent_process.hpp"
#include "scenarios/deploy/child_processes.hpp"
#include "scenarios/deploy/deployable.hpp"
#include "scenarios/deploy/told_run.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "scenarios/sweep/plan.hpp"

namespace lagnet {

namespace fs = std::filesystem;

Experiment local_experiment(const ScenarioFile& file, const LocalRunOptions& options) {
  Plan plan(file);
  if (plan.is_sweep()) throw RunError(fmt::format("{}: expected one run to deploy, found a sweep", file.shown));
  Experiment experiment = plan.take(0);
  std::vector<std::string> others;
  const AgentId agents = experiment.network->agents();
  if (options.processes && (*options.processes < 1 || *options.processes > agents))
    others.push_back(fmt::format("-n: expected 1 to {} processes, with an agent or more each, found {}", agents,
                                 *options.processes));
  if (options.restarts && !experiment.model.goes_on_without_all())
    others.emplace_back(
        "--restart: a restarted agent does not know what its neighbors wait for; expected "
        "participation.missing_neighbor skip or reuse_last, or a deadline for answers");
  check_deployable(experiment, file.shown, others);
  return experiment;
}

Outcome run_locally(const ScenarioFile& file, const fs::path& out, const LocalRunOptions& options) {
  check_replaceable(out);
  const Experiment experiment = local_experiment(file, options);
  if (!options.replaces) refuse_other_results(experiment.scenario, out);
  if (options.warn) {
    for (const Remark& one : experiment.warnings) options.warn(one);
    for (const Remark& one : deployment_remarks(experiment)) options.warn(one);
  }
  const TemporaryFolder records("deploy");
  const ChildOptions children{.processes = options.processes.value_or(experiment.network->agents()),
                              .patience = options.patience,
                              .restarts = options.restarts,
                              .warn = options.warn};
  const auto logs = in_processes(experiment, records.path(), children,
                                 [&](const AgentProcess& process) { run_agent_process(experiment, process); });
  RunOptions recording;
  recording.row = options.row;
  recording.warn = options.warn;
  return write_told_run(experiment, logs, out, recording);
}

}  // namespace lagnet
