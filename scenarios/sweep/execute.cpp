#include "scenarios/sweep/execute.hpp"

#include <optional>
#include <string>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "scenarios/sweep/point_runner.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"

namespace lagnet {

namespace fs = std::filesystem;

Executed execute_into(Plan& plan, const fs::path& folder, const fs::path& target, const ExecuteOptions& options,
                      bool are_errors_results) {
  PointRunner runner(plan, options);
  const std::vector<std::string> names = plan.is_sweep() ? plan.names : std::vector<std::string>{""};
  run_in_parallel(plan.needs, plan.budget, [&](std::size_t i, const std::stop_token& unwanted) {
    const fs::path place = folder / names[i], later = target / names[i], &values = plan.values_from[i].folder;
    if (are_errors_results && plan.is_sweep())
      runner.run_or_fail(i, place, later, unwanted, values);
    else
      runner.run(i, place, later, unwanted, values);
  });
  if (plan.is_sweep()) {
    CompletePoints complete{.folders = {}, .done = runner.done(), .folder = folder, .target = target};
    for (const std::string& name : names) complete.folders.push_back(folder / name);
    plan.write(plan, complete);
  }
  return runner.done();
}

Executed execute(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
  check_replaceable(out);
  Plan plan(file, options.budget, Plan::Alike::apart, Plan::Making::later);
  if (!plan.is_sweep()) plan.facts = "summary.json";
  if (const auto done = finished_before(plan, out, options)) return *done;
  plan.make();
  return execute_plan(plan, out, options);
}

Executed execute_plan(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  if (plan.is_sweep()) return execute_resumable(plan, out, options);
  StagedFolder staged(out);
  const Executed done = execute_into(plan, staged.folder(), staged.target(), options);
  write_build(staged.folder());
  staged.publish();
  return done;
}

Executed execute_sweep(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options,
                       Plan::Alike alike) {
  check_replaceable(out);
  Plan plan(file, options.budget, alike, Plan::Making::later);
  for (std::size_t i = 0; i < plan.points.size(); ++i)
    if (plan.first_alike(i) != i) plan.values_from[i].point = plan.first_alike(i);
  if (const auto done = finished_before(plan, out, options)) return *done;
  plan.make();
  return execute_resumable(plan, out, options);
}

Executed execute_resumable(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  const std::vector<std::string>& names = plan.names;
  const fs::path target = canonical_path(out);
  SweepCheckpoint checkpoint(out, identities_of_points(plan, target), names, options.replaces, options.part);
  checkpoint.announce(text_of_scenario(plan, target));

  PointRunner runner(plan, options);
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!options.has(i))
      runner.leave_out(i);
    else if (checkpoint.is_finished(i))
      runner.skip(i, checkpoint.place(i));
    else
      left.push_back(i);
  if (options.watcher && !left.empty()) options.watcher->begins(plan, left, options);
  const auto place_of = [&](std::size_t i) { return checkpoint.place(i); };
  run_points(plan, left, [&](std::size_t i, const std::stop_token& unwanted) {
    const fs::path place = checkpoint.target() / names[i];
    if (!runner.run_or_fail(i, checkpoint.begin(i), place, unwanted, values_for(plan, i, place_of)))
      runner.run_or_fail(i, checkpoint.begin(i), place, unwanted, {});
    checkpoint.finish(i);
  });
  CompletePoints complete{
      .folders = {}, .done = runner.done(), .folder = checkpoint.folder(), .target = checkpoint.target()};
  if (options.part) {
    complete.done.published = Executed::Published::not_yet;
    return complete.done;
  }
  for (std::size_t i = 0; i < names.size(); ++i) complete.folders.push_back(checkpoint.place(i));
  plan.write(plan, complete);
  write_build(checkpoint.folder());
  checkpoint.publish();
  return complete.done;
}

}  // namespace lagnet
