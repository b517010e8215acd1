#include "scenarios/sweep/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/results/run_files.hpp"
#include "scenarios/sweep/earlier_results.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/sha256.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// Ends a run that is not wanted any more: a point before it has failed.
class Unwanted : public std::exception {};

/// Tells finished points of a sweep apart that have one scenario, and values from different places.
std::string source_of(const Plan& plan, std::size_t i) {
  const ValuesFrom& from = plan.values_from[i];
  if (from.point) return "with the values of another point\n";
  return from.folder.empty() ? "" : fmt::format("with the values of {}\n", from.trace_hash);
}

/// Runs the points of a plan, whatever keeps their folders, and reports them to the watcher of the options. Several
/// threads may run points at once.
class PointRunner {
 public:
  PointRunner(Plan& plan, const ExecuteOptions& options);

  /// Runs a point into `folder`, for use in `target`, with the values of the run in `values` unless that is empty.
  void run(std::size_t i, const fs::path& folder, const fs::path& target, const std::stop_token& unwanted,
           const fs::path& values);
  /// The same, of a sweep; an error of the run is the result of this point, and the others go on. False if the point
  /// comes to rounds of which there are no values: it can be run again without them.
  bool run_or_fail(std::size_t i, const fs::path& folder, const fs::path& target, const std::stop_token& unwanted,
                   const fs::path& values);
  /// The point was finished before. Throws what its files throw that cannot be read, and has told nothing then.
  void skip(std::size_t i, const fs::path& folder);
  /// The point belongs to another part.
  void leave_out(std::size_t i);
  const Executed& done() const { return done_; }

 private:
  void fail(std::size_t i, const fs::path& folder, const std::string& why);
  void count(bool is_failure);
  void tell(const std::function<void(RunWatcher&)>& tell);

  Plan& plan_;
  const ExecuteOptions& options_;
  std::mutex one_at_a_time_;  // also guards done_
  Executed done_;
};

PointRunner::PointRunner(Plan& plan, const ExecuteOptions& options) : plan_(plan), options_(options) {
  if (options.watcher) options.watcher->planned(plan);
}

void PointRunner::run(std::size_t i, const fs::path& folder, const fs::path& target, const std::stop_token& unwanted,
                      const fs::path& values) {
  const Experiment experiment = plan_.take(i);
  std::optional<RecordedSource> source;
  if (!values.empty()) source = read_source(values, experiment);
  tell([&](RunWatcher& watcher) { watcher.started(i, experiment); });
  const auto recorded = [&](const Row& row) {
    if (unwanted.stop_requested()) throw Unwanted();
    tell([&](RunWatcher& watcher) { watcher.recorded(i, row); });
  };
  const auto warned = [&](const Remark& what) { tell([&](RunWatcher& watcher) { watcher.warned(i, what); }); };
  const Outcome outcome =
      run_point(experiment, folder, target, {.threads = options_.settings.threads, .row = recorded, .warn = warned},
                source ? &*source : nullptr);
  count(outcome.failed());
  tell([&](RunWatcher& watcher) { watcher.finished(i, experiment, outcome); });
}

bool PointRunner::run_or_fail(std::size_t i, const fs::path& folder, const fs::path& target,
                              const std::stop_token& unwanted, const fs::path& values) {
  try {
    run(i, folder, target, unwanted, values);
  } catch (const ValuesMissing&) {
    return false;
  } catch (const RunError& error) {
    if (unwanted.stop_requested()) throw;  // no result: it was told to end
    fail(i, folder, error.what());
  } catch (const InternalError& error) {
    if (unwanted.stop_requested()) throw;
    fail(i, folder, error.what());
  }
  return true;
}

void PointRunner::skip(std::size_t i, const fs::path& folder) {
  const Json summary = error_of_point(folder) ? Json() : parse_json(read_file(folder / "summary.json"));
  count(summary.is_null() || summary["status"] != "done");
  tell([&](RunWatcher& watcher) { watcher.skipped(i, summary); });
}

void PointRunner::leave_out(std::size_t i) {
  tell([&](RunWatcher& watcher) { watcher.left_out(i); });
}

void PointRunner::fail(std::size_t i, const fs::path& folder, const std::string& why) {
  write_file(folder / error_name, why + "\n");
  count(true);
  tell([&](RunWatcher& watcher) { watcher.failed(i, why); });
}

void PointRunner::count(bool is_failure) {
  const std::lock_guard alone(one_at_a_time_);
  ++done_.runs;
  if (is_failure) ++done_.failed;
}

void PointRunner::tell(const std::function<void(RunWatcher&)>& tell) {
  const std::lock_guard alone(one_at_a_time_);
  if (options_.watcher) tell(*options_.watcher);
}

/// What finished points are known by: the SHA-256 of their scenario.json, and their inputs. In the end they stand in
/// `target`.
std::vector<PointIdentity> identities_of_points(const Plan& plan, const fs::path& target) {
  std::vector<PointIdentity> identities;
  std::shared_ptr<const std::string> inputs;  // of the point before, which those of one data set share
  for (std::size_t i = 0; i < plan.names.size(); ++i) {
    const Json document = write_scenario(plan.scenarios[i], target / plan.names[i]);
    const std::string text = document.dump(2) + "\n" + source_of(plan, i);
    const Json read = inputs_of(document, target / plan.names[i], plan.read());
    const std::string list = read.empty() ? "" : read.dump();
    if (list.empty())
      inputs = nullptr;
    else if (!inputs || *inputs != list)
      inputs = std::make_shared<const std::string>(list);
    identities.push_back({.scenario = hexadecimal(sha256(std::as_bytes(std::span(text)))), .inputs = inputs});
  }
  return identities;
}

/// Whether a finished point came to its end.
bool has_values(const fs::path& folder) {
  return !error_of_point(folder) && parse_json(read_file(folder / "summary.json"))["status"] == "done";
}

/// The folder whose values a point takes: that of a recorded run, or of a finished point that has come to its end; ""
/// for a point that computes.
fs::path values_for(const Plan& plan, std::size_t i, const SweepCheckpoint& checkpoint) {
  const auto& point = plan.values_from[i].point;
  if (point && has_values(checkpoint.place(*point))) return checkpoint.place(*point);
  return plan.values_from[i].folder;
}

/// Runs some points of a plan side by side, those that take the values of others after these.
void run_points(const Plan& plan, const std::vector<std::size_t>& points,
                const std::function<void(std::size_t, const std::stop_token&)>& run) {
  for (const bool takes_values : {false, true}) {
    std::vector<std::size_t> now;
    std::vector<MemoryNeed> needs;
    for (const std::size_t i : points)
      if (plan.values_from[i].point.has_value() == takes_values) now.push_back(i);
    // What those that are alike share is there as long as they run one after the other.
    std::ranges::stable_sort(now, {}, [&](std::size_t i) { return plan.first_alike(i); });
    for (const std::size_t i : now) needs.push_back(plan.needs[i]);
    if (!now.empty())
      run_in_parallel(needs, plan.settings,
                      [&](std::size_t k, const std::stop_token& unwanted) { run(now[k], unwanted); });
  }
}

/// Runs the points that are left of a sweep.
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
  run_points(plan, left, [&](std::size_t i, const std::stop_token& unwanted) {
    const fs::path place = checkpoint.target() / names[i];
    try {
      if (!runner.run_or_fail(i, checkpoint.begin(i), place, unwanted, values_for(plan, i, checkpoint)))
        runner.run_or_fail(i, checkpoint.begin(i), place, unwanted, {});
      checkpoint.finish(i);
    } catch (...) {
      checkpoint.give_up(i);
      throw;
    }
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

/// Answers from results that exist.
Executed executed_before(Plan& plan, const fs::path& target, const ExecuteOptions& options) {
  SweepCheckpoint::end_publication(target);
  PointRunner runner(plan, options);
  const std::vector<fs::path> folders = folders_of_points(plan, target);
  for (std::size_t i = 0; i < folders.size(); ++i)
    if (options.has(i))
      runner.skip(i, folders[i]);
    else
      runner.leave_out(i);
  const auto failed = std::ranges::count_if(folders, [](const fs::path& folder) { return !has_values(folder); });
  return {.runs = folders.size(), .failed = static_cast<std::size_t>(failed), .published = Executed::Published::before};
}

}  // namespace

Executed execute_into(Plan& plan, const fs::path& folder, const fs::path& target, const ExecuteOptions& options) {
  PointRunner runner(plan, options);
  if (!plan.is_sweep()) {
    runner.run(0, folder, target, {}, plan.values_from.front().folder);
    return runner.done();
  }
  run_in_parallel(plan.needs, plan.settings, [&](std::size_t i, const std::stop_token& unwanted) {
    runner.run_or_fail(i, folder / plan.names[i], target / plan.names[i], unwanted, plan.values_from[i].folder);
  });
  CompletePoints complete{.folders = {}, .done = runner.done(), .folder = folder, .target = target};
  for (const std::string& name : plan.names) complete.folders.push_back(folder / name);
  plan.write(plan, complete);
  return runner.done();
}

Executed execute_plan(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  check_replaceable(out);
  const fs::path target = canonical_path(out);
  if (!options.replaces && has_results_of(plan, target)) return executed_before(plan, target, options);
  plan.make();
  if (!plan.is_run()) return execute_resumable(plan, out, options);
  StagedFolder staged(out);
  const Executed done = execute_into(plan, staged.folder(), staged.target(), options);
  write_build(staged.folder());
  staged.publish();
  return done;
}

Executed execute(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
  Plan plan(file, options.settings, Plan::Alike::apart, Plan::Making::later);
  if (!plan.is_sweep()) plan.facts = Plan::facts_of_run;
  return execute_plan(plan, out, options);
}

Executed execute_sweep(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options,
                       Plan::Alike alike) {
  Plan plan(file, options.settings, alike, Plan::Making::later);
  for (std::size_t i = 0; i < plan.points.size(); ++i)
    if (plan.first_alike(i) != i) plan.values_from[i].point = plan.first_alike(i);
  return execute_plan(plan, out, options);
}

Executed execute_retimed(const fs::path& folder, const std::vector<std::string>& settings, const fs::path& out,
                         const ExecuteOptions& options) {
  check_replaceable(out);
  const fs::path source = canonical_path(folder), target = canonical_path(out);
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
