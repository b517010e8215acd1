#include "scenarios/deploy/planned_calibration.hpp"

#include <fmt/format.h>

#include "scenarios/deploy/calibration.hpp"
#include "scenarios/deploy/child_processes.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/sha256.hpp"

namespace lagnet {

namespace fs = std::filesystem;

void calibrate_planned(const fs::path& plan, const PlannedAgentOptions& options) {
  const PlannedExperiment planned = read_planned_experiment(plan, options.agent);
  const CalibrationRecord record = calibrate_process(planned.experiment, planned_process(planned, options));
  replace_file(options.record, record_text(record));
}

Json collect_calibrations(const fs::path& plan, const std::vector<fs::path>& files) {
  const PlannedExperiment planned = read_planned_experiment(plan);
  std::vector<CalibrationRecord> records;
  for (const fs::path& file : files) {
    records.push_back(read_calibration(file));
    if (records.back().scenario != hexadecimal(planned.plan.digest()))
      throw RunError(fmt::format("{}: it is of another scenario than {}", file.string(), plan.string()));
  }
  const Network& network = *planned.experiment.network;
  return calibrated_sections(network, planned.plan.process_of(network.agents()), records);
}

Json calibrate_locally(const ScenarioFile& file, const LocalRunOptions& options) {
  const Experiment experiment = local_experiment(file, options);
  const AgentId agents = experiment.network->agents();
  const TemporaryFolder folder("calibrate");
  const ChildOptions children{
      .processes = options.processes.value_or(agents), .patience = options.patience, .warn = options.warn};
  std::vector<CalibrationRecord> records;
  for (const fs::path& record : in_processes(experiment, folder.path(), children, [&](const AgentProcess& process) {
         replace_file(process.log, record_text(calibrate_process(experiment, process)));
       }))
    records.push_back(read_calibration(record));
  return calibrated_sections(*experiment.network, spread(agents, children.processes), records);
}

}  // namespace lagnet
