#include "scenarios/sweep/retime.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/recorded_runs.hpp"

namespace lagnet {

Executed execute_retimed(const std::filesystem::path& folder, const std::vector<std::string>& settings,
                         const std::filesystem::path& out, const ExecuteOptions& options) {
  check_replaceable(out);
  const std::filesystem::path source = canonical_path(folder), target = canonical_path(out);
  if (std::ranges::mismatch(target, source).in1 == target.end())
    throw OutputError(fmt::format("{}: expected a folder outside the recorded run, found {}", out.string(),
                                  source == target ? "its folder" : "a folder around it"));
  const RecordedRuns recorded = read_recorded_runs({folder});
  Plan plan(read_scenario_file(folder / "scenario.json", settings), options.settings, Plan::Alike::shared,
            Plan::Making::later);
  if (!plan.is_sweep()) plan.facts = Plan::facts_of_run;
  plan.values_from = values_from_runs(plan.scenarios, plan.names, recorded.runs, folder.string());
  try {
    return execute_plan(plan, out, options);
  } catch (const ValuesMissing& error) {
    throw OutputError(fmt::format("{}: expected the values of all rounds that this run has, found fewer: {}",
                                  plan.values_from.front().folder.string(), error.what()));
  }
}

}  // namespace lagnet
