#include "scenarios/sweep/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/sweep/run_point.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Ends a run that is not wanted any more: a point before it has failed.
class Unwanted : public std::exception {};

/// What the points of a plan do, whoever keeps their folders.
class PointRunner {
 public:
  PointRunner(Plan& plan, const ExecuteOptions& options) : plan_(plan), options_(options) {
    if (options.watcher) options.watcher->planned(plan);
  }

  /// Runs a point into `folder`, for use in `target`, with the values of the run in `values` unless that is empty.
  void run(std::size_t i, const fs::path& folder, const fs::path& target, const std::stop_token& unwanted,
           const fs::path& values) {
    const Experiment experiment = plan_.take(i);
    std::optional<RecordedSource> source;
    if (!values.empty()) source = read_source(values, experiment);
    tell([&](RunWatcher& watcher) { watcher.started(i, experiment); });
    const auto recorded = [&](const Row& row) {
      if (unwanted.stop_requested()) throw Unwanted();
      tell([&](RunWatcher& watcher) { watcher.recorded(i, row); });
    };
    const auto warned = [&](const std::string& what) { tell([&](RunWatcher& watcher) { watcher.warned(i, what); }); };
    const Outcome outcome =
        run_point(experiment, folder, target, {.threads = options_.threads, .row = recorded, .warn = warned},
                  source ? &*source : nullptr);
    count(outcome.failed());
    tell([&](RunWatcher& watcher) { watcher.finished(i, experiment, outcome); });
  }
  /// The same, of a sweep; an error of the run is the result of this point, and the others go on. False if the point
  /// comes to rounds of which there are no values: it can be run again without them.
  bool run_or_fail(std::size_t i, const fs::path& folder, const fs::path& target, const std::stop_token& unwanted,
                   const fs::path& values) {
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
  /// The point was finished before.
  void skip(std::size_t i, const fs::path& folder) {
    const Json summary = error_of_point(folder) ? Json() : Json::parse(read_file(folder / "summary.json"));
    count(summary.is_null() || summary["status"] != "done");
    tell([&](RunWatcher& watcher) { watcher.skipped(i, summary); });
  }
  const Executed& done() const { return done_; }

 private:
  void fail(std::size_t i, const fs::path& folder, const std::string& why) {
    write_file(folder / error_name, why + "\n");
    count(true);
    tell([&](RunWatcher& watcher) { watcher.failed(i, why); });
  }
  void count(bool is_failure) {
    const std::lock_guard alone(one_at_a_time_);
    ++done_.runs;
    if (is_failure) ++done_.failed;
  }
  template <class Tell>
  void tell(const Tell& tell) {
    const std::lock_guard alone(one_at_a_time_);
    if (options_.watcher) tell(*options_.watcher);
  }
  Plan& plan_;
  const ExecuteOptions& options_;
  std::mutex one_at_a_time_;  // also guards done_
  Executed done_;
};

/// Tells finished points of a sweep apart that have one scenario, and values from different places.
std::string source_of(const Plan& plan, std::size_t i) {
  const ValuesFrom& from = plan.values_from[i];
  if (from.point) return "with the values of another point\n";
  return from.folder.empty() ? "" : fmt::format("with the values of {}\n", from.trace_hash);
}

/// Whether a finished point came to its end.
bool has_values(const fs::path& folder) {
  return !error_of_point(folder) && Json::parse(read_file(folder / "summary.json"))["status"] == "done";
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
      run_in_parallel(needs, plan.budget,
                      [&](std::size_t k, const std::stop_token& unwanted) { run(now[k], unwanted); });
  }
}

}  // namespace

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
  Plan plan(file, options.budget);
  return execute_plan(plan, out, options);
}

Executed execute_plan(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  if (plan.is_sweep()) return execute_resumable(plan, out, options);
  StagedFolder staged(out);
  const Executed done = execute_into(plan, staged.folder(), staged.target(), options);
  staged.publish();
  return done;
}

Executed execute_sweep(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options,
                       Plan::Alike alike) {
  check_replaceable(out);
  Plan plan(file, options.budget, alike);
  for (std::size_t i = 0; i < plan.points.size(); ++i)
    if (plan.first_alike(i) != i) plan.values_from[i].point = plan.first_alike(i);
  return execute_resumable(plan, out, options);
}

Executed execute_resumable(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  const std::vector<std::string>& names = plan.names;
  const fs::path target = canonical_path(out);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < names.size(); ++i)
    texts.push_back(write_scenario(plan.scenarios[i], target / names[i]).dump(2) + "\n" + source_of(plan, i));
  SweepCheckpoint checkpoint(out, texts);
  checkpoint.announce(relocated(plan.file, target).dump(2) + "\n", names);

  PointRunner runner(plan, options);
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (checkpoint.is_finished(i))
      runner.skip(i, checkpoint.place(i));
    else
      left.push_back(i);
  if (options.watcher && !left.empty()) options.watcher->begins(plan, left, options);
  run_points(plan, left, [&](std::size_t i, const std::stop_token& unwanted) {
    const fs::path place = checkpoint.target() / names[i];
    fs::path values = plan.values_from[i].folder;
    if (const auto& point = plan.values_from[i].point; point && has_values(checkpoint.place(*point)))
      values = checkpoint.place(*point);
    if (!runner.run_or_fail(i, checkpoint.begin(i), place, unwanted, values))
      runner.run_or_fail(i, checkpoint.begin(i), place, unwanted, {});
    checkpoint.finish(i);
  });
  CompletePoints complete{
      .folders = {}, .done = runner.done(), .folder = checkpoint.folder(), .target = checkpoint.target()};
  for (std::size_t i = 0; i < names.size(); ++i) complete.folders.push_back(checkpoint.place(i));
  plan.write(plan, complete);
  checkpoint.publish(names);
  return runner.done();
}

}  // namespace lagnet
