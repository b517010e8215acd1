#include "scenarios/execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Runs one point and writes its files to `folder`; they will stand in `target`.
Outcome run_point(const Assembly& assembly, const fs::path& folder, const fs::path& target,
                  const ExecuteOptions& options) {
  make_folders(folder);
  const RecordOptions& record = assembly.scenario.record;
  const fs::path trace_name = folder / "trace.jsonl", timeline_name = folder / "timeline.json";
  std::ofstream trace, timeline;
  if (record.trace) trace.open(trace_name, std::ios::binary);
  if (record.timeline) timeline.open(timeline_name, std::ios::binary);
  Outcome outcome = run(assembly, {.threads = options.threads,
                                   .trace = record.trace ? &trace : nullptr,
                                   .timeline = record.timeline ? &timeline : nullptr,
                                   .progress = options.progress});
  if (record.trace) close_written(trace, trace_name);
  if (record.timeline) close_written(timeline, timeline_name);
  write_files(assembly, outcome, folder, target);
  return outcome;
}

std::string cell(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// The columns of sweep.csv before and after the sweep's own pointers are those of the last row of progress.
void append_row(std::string& table, const std::string& folder, const SweepPoint& point, const Assembly& assembly,
                const Outcome& outcome) {
  std::vector<std::string> header{"point"}, cells{folder};
  for (const auto& [pointer, value] : point.values) {
    header.push_back(pointer);
    cells.push_back(cell(value));
  }
  header.insert(header.end(), {"stop", "trace_hash"});
  cells.insert(cells.end(), {outcome.ending.reason, outcome.trace_hash});
  const auto columns = progress_columns(*assembly.algorithm);
  header.insert(header.end(), columns.begin(), columns.end());
  const auto values =
      outcome.rows.empty() ? std::vector<std::string>(columns.size()) : progress_values(outcome.rows.back());
  cells.insert(cells.end(), values.begin(), values.end());
  if (table.empty()) table = csv_line(header);
  table += csv_line(cells);
}

/// Does something for a point of a sweep and takes over the problems that no point before it had.
template <class Step>
void collect_problems(Problems& all, const Step& step) {
  try {
    step();
  } catch (const ScenarioError& error) {
    for (const ScenarioProblem& found : error.problems.list()) {
      const auto same = [&](const ScenarioProblem& known) {
        return known.pointer == found.pointer && known.expected == found.expected && known.found == found.found;
      };
      if (std::ranges::none_of(all.list(), same)) all.add(found.pointer, found.expected, found.found);
    }
  }
}

}  // namespace

Plan::Plan(const ScenarioFile& scenario_file) : file(scenario_file), points(sweep_points(scenario_file)) {
  Problems problems(file.shown);
  for (const SweepPoint& point : points)
    collect_problems(problems, [&] { scenarios.push_back(read_scenario(point.file)); });
  problems.throw_if_any();
  for (const Scenario& scenario : scenarios)
    collect_problems(problems, [&] {
      Assembly made = assemble(scenario, file.shown, cache);
      if (scenarios.size() == 1) first_ = std::move(made);
    });
  problems.throw_if_any();
}

Assembly Plan::take(std::size_t point) {
  if (point > 0 || !first_) return assemble(scenarios[point], file.shown, cache);
  Assembly made = std::move(*first_);
  first_.reset();
  return made;
}

Executed execute_into(Plan& plan, const fs::path& folder, const fs::path& target, const ExecuteOptions& options) {
  Executed done;
  std::string table;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const Assembly assembly = plan.take(i);
    if (options.started) options.started(i, plan.points.size(), plan.points[i], assembly);
    const std::string place = plan.is_sweep() ? fmt::format("{:03}", i) : "";
    const Outcome outcome = run_point(assembly, folder / place, target / place, options);
    if (plan.is_sweep()) append_row(table, place, plan.points[i], assembly, outcome);
    ++done.runs;
    if (outcome.failed()) ++done.failed;
    if (options.finished) options.finished(assembly, outcome);
  }
  if (plan.is_sweep()) {
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
  Plan plan(file);
  StagedFolder staged(out);
  if (options.writing) options.writing(staged.folder());
  const Executed done = execute_into(plan, staged.folder(), staged.target(), options);
  staged.publish();
  return done;
}

}  // namespace lagnet
