#include "scenarios/sweep/point_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <span>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/sweep/run_point.hpp"
#include "sim/base/errors.hpp"
#include "sim/base/sha256.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Ends a run that is not wanted any more: a point before it has failed.
class Unwanted : public std::exception {};

/// Tells finished points of a sweep apart that have one scenario, and values from different places.
std::string source_of(const Plan& plan, std::size_t i) {
  const ValuesFrom& from = plan.values_from[i];
  if (from.point) return "with the values of another point\n";
  return from.folder.empty() ? "" : fmt::format("with the values of {}\n", from.trace_hash);
}

}  // namespace

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
      run_point(experiment, folder, target, {.threads = options_.threads, .row = recorded, .warn = warned},
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

std::string text_of_scenario(const Plan& plan, const fs::path& target) {
  return relocated(plan.file, target).dump(2) + "\n";
}

fs::path values_for(const Plan& plan, std::size_t i, const std::function<fs::path(std::size_t)>& place_of_point) {
  const auto& point = plan.values_from[i].point;
  if (point && has_values(place_of_point(*point))) return place_of_point(*point);
  return plan.values_from[i].folder;
}

bool has_values(const fs::path& folder) {
  return !error_of_point(folder) && parse_json(read_file(folder / "summary.json"))["status"] == "done";
}

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

}  // namespace lagnet
