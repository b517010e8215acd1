#include "scenarios/sweep/execute.hpp"

#include <fstream>
#include <mutex>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_files.hpp"
#include "scenarios/results/sweep_table.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Runs one point and writes its files to `folder`; they will stand in `target`.
Outcome run_point(const Experiment& assembly, const fs::path& folder, const fs::path& target, RunOptions options) {
  make_folder(folder);
  const RecordOptions& record = assembly.scenario.record;
  const fs::path trace_name = folder / "trace.jsonl", timeline_name = folder / "timeline.json";
  std::ofstream trace, timeline;
  if (record.trace) trace.open(trace_name, std::ios::binary);
  if (record.timeline) timeline.open(timeline_name, std::ios::binary);
  options.trace = record.trace ? &trace : nullptr;
  options.timeline = record.timeline ? &timeline : nullptr;
  ProgressFile progress(assembly, folder);
  options.row = [&progress](const Row& row) { progress.add(row); };
  Outcome outcome = run(assembly, options);
  if (record.trace) close_written(trace, trace_name);
  if (record.timeline) close_written(timeline, timeline_name);
  progress.close();
  write_run_files(assembly, outcome, folder, target);
  return outcome;
}

/// Ends a run that is not wanted any more: a point before it has failed.
class Unwanted : public std::exception {};

/// What the points of a plan do, whoever keeps their folders.
class PointRunner {
 public:
  PointRunner(Plan& plan, const ExecuteOptions& options) : plan_(plan), options_(options) {}

  /// Runs a point into `folder`, for use in `target`.
  void run(std::size_t i, const fs::path& folder, const fs::path& target, const std::stop_token& unwanted) {
    const Experiment assembly = plan_.take(i);
    if (options_.started) {
      const std::lock_guard alone(telling_);
      options_.started(i, plan_.points.size(), plan_.points[i], assembly);
    }
    const auto progress = [&](const Progress& so_far) {
      if (unwanted.stop_requested()) throw Unwanted();
      if (!options_.progress) return;
      const std::lock_guard alone(telling_);
      options_.progress(i, so_far);
    };
    const Outcome outcome = run_point(assembly, folder, target, {.threads = options_.threads, .progress = progress});
    const std::lock_guard alone(telling_);
    count(outcome.failed());
    if (options_.finished) options_.finished(i, assembly, outcome);
  }
  /// The point has ended by an error.
  void fail(std::size_t i, const std::string& why) {
    const std::lock_guard alone(telling_);
    count(true);
    if (options_.broken) options_.broken(i, why);
  }
  /// The point was finished before.
  void skip(std::size_t i, const fs::path& folder) {
    const bool is_broken = fs::exists(folder / error_name);
    const std::lock_guard alone(telling_);
    count(is_broken || Json::parse(read_file(folder / "summary.json"))["status"] != "done");
    if (options_.kept) options_.kept(i, plan_.points.size(), plan_.points[i]);
  }
  const Executed& done() const { return done_; }

 private:
  void count(bool failed) {
    ++done_.runs;
    if (failed) ++done_.failed;
  }
  Plan& plan_;
  const ExecuteOptions& options_;
  std::mutex telling_;  // also guards done_
  Executed done_;
};

}  // namespace

Executed execute_into(Plan& plan, const fs::path& folder, const fs::path& target, const ExecuteOptions& options) {
  PointRunner runner(plan, options);
  const std::vector<std::string> names = plan.is_sweep() ? plan.names : std::vector<std::string>{""};
  run_in_parallel(plan.needs, plan.capacity, [&](std::size_t i, const std::stop_token& unwanted) {
    runner.run(i, folder / names[i], target / names[i], unwanted);
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
  Plan plan(file, options.capacity);
  StagedFolder staged(out);
  if (options.writing) options.writing(staged.folder());
  const Executed done = execute_into(plan, staged.folder(), staged.target(), options);
  staged.publish();
  return done;
}

Executed execute_sweep(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
  check_replaceable(out);
  Plan plan(file, options.capacity);
  return execute_kept(plan, out, options);
}

Executed execute_kept(Plan& plan, const fs::path& out, const ExecuteOptions& options) {
  const std::vector<std::string>& names = plan.names;
  const fs::path target = canonical_path(out);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < names.size(); ++i)
    texts.push_back(write_scenario(plan.scenarios[i], target / names[i]).dump(2) + "\n");
  SweepCheckpoint kept(out, texts);
  if (options.writing) options.writing(kept.folder());

  PointRunner runner(plan, options);
  std::vector<std::size_t> left;
  std::vector<MemoryNeed> needs;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (kept.is_finished(i)) {
      runner.skip(i, kept.place(i));
    } else {
      left.push_back(i);
      needs.push_back(plan.needs[i]);
    }
  run_in_parallel(needs, plan.capacity, [&](std::size_t k, const std::stop_token& unwanted) {
    const std::size_t i = left[k];
    const fs::path folder = kept.begin(i);
    const auto fail = [&](const std::exception& error) {  // that is the result of this point; the others go on
      write_file(folder / error_name, std::string(error.what()) + "\n");
      runner.fail(i, error.what());
    };
    try {
      runner.run(i, folder, kept.target() / names[i], unwanted);
    } catch (const AgentError& error) {
      fail(error);
    } catch (const InternalError& error) {
      fail(error);
    }
    kept.finish(i);
  });
  CompletePoints complete{.folders = {}, .done = runner.done(), .folder = kept.folder(), .target = kept.target()};
  for (std::size_t i = 0; i < names.size(); ++i) complete.folders.push_back(kept.place(i));
  plan.write(plan, complete);
  kept.publish(names);
  return runner.done();
}

}  // namespace lagnet
