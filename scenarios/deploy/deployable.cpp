#include "scenarios/deploy/deployable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/format/features.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

std::vector<std::string> why_not_deployed(const Experiment& experiment) {
  const Scenario& scenario = experiment.scenario;
  std::vector<std::string> reasons;
  if (!experiment.has_numbers()) reasons.emplace_back("/numerics: agents without numbers have nothing to send");
  if (const auto shared = experiment.algorithm->shares_memory(); !shared.empty())
    reasons.push_back(fmt::format("/algorithm: {}", shared));
  for (const SetFeature& one : set_features(scenario).list)
    if (one.effects().in_processes == InProcesses::no)
      reasons.push_back(fmt::format("{}: {}", one.place(), one.reason(one.declared.why_elsewhere)));
  if (!scenario.attackers.empty()) reasons.emplace_back("/attackers: clients attack in simulations alone");
  if (scenario.record.critical_path)
    reasons.emplace_back("/record/critical_path: causes are followed in simulated time alone");
  if (!scenario.stop.rounds && !scenario.stop.simulated_s)
    reasons.emplace_back("/stop: no agent knows the totals of all agents; expected rounds or simulated_s");
  return reasons;
}

void check_deployable(const Experiment& experiment, const std::string& shown, const std::vector<std::string>& others) {
  std::vector<std::string> reasons = why_not_deployed(experiment);
  reasons.insert(reasons.end(), others.begin(), others.end());
  if (reasons.empty()) return;
  std::string text = fmt::format("{}: its agents cannot be processes:", shown);
  for (const std::string& reason : reasons) text += "\n  " + reason;
  throw RunError(text);
}

Remarks deployment_remarks(const Experiment& experiment) {
  const StopOptions& stop = experiment.scenario.stop;
  Remarks remarks;
  const auto is_left_out = [](const SetFeature& one) { return one.effects().in_processes == InProcesses::left_out; };
  if (std::ranges::any_of(set_features(experiment.scenario).list, is_left_out))
    remarks.push_back({"faults_not_simulated",
                       {},
                       "losses, copies and outages are not simulated: TCP repairs those of the real network"});
  if (stop.relative_error || stop.metric || stop.updates || stop.flops || stop.flops_per_agent || stop.bytes ||
      stop.price)
    remarks.push_back(
        {"common_limit_unknown",
         {},
         "no agent knows when all agents together reach a limit: agents continue, and the recorded rows end there"});
  return remarks;
}

}  // namespace lagnet
