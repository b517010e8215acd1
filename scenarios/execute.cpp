#include "scenarios/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <mutex>

#include "scenarios/footprint.hpp"
#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Runs one point and writes its files to `folder`; they will stand in `target`.
Outcome run_point(const Assembly& assembly, const fs::path& folder, const fs::path& target, RunOptions options) {
  make_folder(folder);
  const RecordOptions& record = assembly.scenario.record;
  const fs::path trace_name = folder / "trace.jsonl", timeline_name = folder / "timeline.json";
  std::ofstream trace, timeline;
  if (record.trace) trace.open(trace_name, std::ios::binary);
  if (record.timeline) timeline.open(timeline_name, std::ios::binary);
  options.trace = record.trace ? &trace : nullptr;
  options.timeline = record.timeline ? &timeline : nullptr;
  Outcome outcome = run(assembly, options);
  if (record.trace) close_written(trace, trace_name);
  if (record.timeline) close_written(timeline, timeline_name);
  write_files(assembly, outcome, folder, target);
  return outcome;
}

std::string cell(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// A point's line of sweep.csv, and the header that goes with it.
struct SweepLine {
  std::string header, cells;
};

/// The columns of sweep.csv after the sweep's own pointers are those of the last row of progress.
SweepLine sweep_line(const std::string& folder, const SweepPoint& point, const Assembly& assembly,
                     const Outcome& outcome) {
  std::vector<std::string> header{"point"}, cells{folder};
  for (const auto& [pointer, value] : point.values) {
    header.push_back(pointer);
    cells.push_back(cell(value));
  }
  header.insert(header.end(), {"stop", "trace_hash"});
  cells.insert(cells.end(), {outcome.ending.reason, outcome.trace_hash});
  const auto columns = progress_columns(assembly);
  header.insert(header.end(), columns.begin(), columns.end());
  const auto values =
      outcome.rows.empty() ? std::vector<std::string>(columns.size()) : progress_values(outcome.rows.back());
  cells.insert(cells.end(), values.begin(), values.end());
  return {csv_line(header), csv_line(cells)};
}

/// Ends a run that is not wanted any more: a point before it has failed.
class Unwanted : public std::exception {};

/// The problems of a step, none if it can be done.
template <class Step>
std::vector<ScenarioProblem> problems_of(const Step& step) {
  try {
    step();
    return {};
  } catch (const ScenarioError& error) {
    return error.problems.list();
  }
}

/// Takes over the problems of a point of a sweep that no point before it had.
void add_new(Problems& all, const std::vector<ScenarioProblem>& problems) {
  for (const ScenarioProblem& found : problems) {
    const auto same = [&](const ScenarioProblem& known) {
      return known.pointer == found.pointer && known.expected == found.expected && known.found == found.found;
    };
    if (std::ranges::none_of(all.list(), same)) all.add(found.pointer, found.expected, found.found);
  }
}

/// What it may take to assemble the points after the first, whose need is known: as much, and for other data these
/// three times, since readers, preprocessing and the central solver work on copies.
std::vector<MemoryNeed> assembling_needs(const std::vector<std::string>& data_keys, const MemoryNeed& first) {
  std::vector<MemoryNeed> needs;
  for (std::size_t i = 1; i < data_keys.size(); ++i)
    needs.push_back({.own = first.own + (data_keys[i] == data_keys[0] ? 0 : 3 * first.shared)});
  return needs;
}

}  // namespace

Plan::Plan(const ScenarioFile& scenario_file, const Capacity& capacity_given)
    : file(scenario_file), points(sweep_points(scenario_file)), needs(points.size()), capacity(capacity_given) {
  Problems problems(file.shown);
  for (const SweepPoint& point : points)
    add_new(problems, problems_of([&] { scenarios.push_back(read_scenario(point.file)); }));
  problems.throw_if_any();

  std::vector<std::string> data_keys;
  for (const Scenario& scenario : scenarios) data_keys.push_back(data_key(scenario));
  // Where all share one data set, it is there as long as anything runs.
  if (std::ranges::count(data_keys, data_keys.front()) < std::ssize(data_keys)) cache.keep_at_most(capacity.memory / 2);
  std::vector<std::vector<ScenarioProblem>> found(points.size());
  const auto try_out = [&](std::size_t i) {
    found[i] = problems_of([&] {
      Assembly made = assemble(scenarios[i], file.shown, cache);
      const Footprint takes = footprint(made);
      const auto same_data = std::ranges::find(data_keys, data_keys[i]) - data_keys.begin();
      needs[i] = {.own = takes.own, .shared = takes.data, .shared_thing = static_cast<std::size_t>(same_data)};
      if (scenarios.size() == 1) first_ = std::move(made);
    });
  };
  try_out(0);
  run_side_by_side(assembling_needs(data_keys, needs[0]), capacity,
                   [&](std::size_t i, const std::stop_token&) { try_out(i + 1); });
  for (const auto& of_point : found) add_new(problems, of_point);
  problems.throw_if_any();

  if (const auto kept = cache.kept_bytes()) {
    capacity.memory -= *kept;
    for (MemoryNeed& need : needs) need.shared = 0;
  }
}

Assembly Plan::take(std::size_t point) {
  if (point > 0 || !first_) return assemble(scenarios[point], file.shown, cache);
  Assembly made = std::move(*first_);
  first_.reset();
  return made;
}

Executed execute_into(Plan& plan, const fs::path& folder, const fs::path& target, const ExecuteOptions& options) {
  std::vector<SweepLine> lines(plan.points.size());
  Executed done;
  std::mutex telling;  // also guards `done`
  run_side_by_side(plan.needs, plan.capacity, [&](std::size_t i, const std::stop_token& unwanted) {
    const Assembly assembly = plan.take(i);
    if (options.started) {
      const std::lock_guard alone(telling);
      options.started(i, plan.points.size(), plan.points[i], assembly);
    }
    const auto progress = [&](const Progress& so_far) {
      if (unwanted.stop_requested()) throw Unwanted();
      if (!options.progress) return;
      const std::lock_guard alone(telling);
      options.progress(i, so_far);
    };
    const std::string place = plan.is_sweep() ? fmt::format("{:03}", i) : "";
    const Outcome outcome =
        run_point(assembly, folder / place, target / place, {.threads = options.threads, .progress = progress});
    if (plan.is_sweep()) lines[i] = sweep_line(place, plan.points[i], assembly, outcome);
    const std::lock_guard alone(telling);
    ++done.runs;
    if (outcome.failed()) ++done.failed;
    if (options.finished) options.finished(i, assembly, outcome);
  });
  if (plan.is_sweep()) {
    std::string table = lines.front().header;
    for (const SweepLine& line : lines) table += line.cells;
    const std::string scenario = relocated(plan.file, target).dump(2) + "\n";
    const Json facts{{"lagnet_version", version()},
                     {"runs", done.runs},
                     {"failed", done.failed},
                     {"scenario_crc32", checksum(scenario)}};
    write_file(folder / "scenario.json", scenario);
    write_file(folder / "sweep.csv", table);
    write_file(folder / "sweep.json", facts.dump(2) + "\n");
  }
  return done;
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

}  // namespace lagnet
