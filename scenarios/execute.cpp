#include "scenarios/execute.hpp"

#include <fmt/format.h>

#include <fstream>

#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// Runs one point and writes its files to `folder`; they will stand in `target`.
Outcome run_point(const Assembly& assembly, const fs::path& folder, const fs::path& target, const ExecuteOptions& options) {
  fs::create_directories(folder);
  const fs::path trace_name = folder / "trace.jsonl";
  std::ofstream trace;
  if (assembly.scenario.record.trace) trace.open(trace_name, std::ios::binary);
  Outcome outcome = run(assembly, {.threads = options.threads,
                                   .trace = trace.is_open() ? &trace : nullptr,
                                   .progress = options.progress});
  if (assembly.scenario.record.trace) {
    trace.close();
    if (!trace) throw OutputError(fmt::format("{}: cannot be written", trace_name.string()));
  }
  for (const auto& [name, content] : render(assembly, outcome, target)) write_file(folder / name, content);
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
  const auto values = outcome.rows.empty() ? std::vector<std::string>(columns.size()) : progress_values(outcome.rows.back());
  cells.insert(cells.end(), values.begin(), values.end());
  if (table.empty()) table = csv_line(header);
  table += csv_line(cells);
}

}  // namespace

Plan::Plan(const ScenarioFile& scenario_file) : file(scenario_file), points(sweep_points(scenario_file)) {
  for (const SweepPoint& point : points) scenarios.push_back(read_scenario(point.file));
  for (const Scenario& scenario : scenarios) assemble(scenario, file.shown, cache);
}

Executed execute_into(Plan& plan, const fs::path& folder, const fs::path& target, const ExecuteOptions& options) {
  Executed done;
  std::string table;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const Assembly assembly = assemble(plan.scenarios[i], plan.file.shown, plan.cache);
    if (options.started) options.started(i, plan.points.size(), plan.points[i], assembly);
    const std::string place = plan.is_sweep() ? fmt::format("{:03}", i) : "";
    const Outcome outcome = run_point(assembly, folder / place, target / place, options);
    if (plan.is_sweep()) append_row(table, place, plan.points[i], assembly, outcome);
    ++done.runs;
    if (outcome.diverged) ++done.diverged;
    if (options.finished) options.finished(assembly, outcome);
  }
  if (plan.is_sweep()) {
    write_file(folder / "scenario.json", relocated(plan.file, target).dump(2) + "\n");
    write_file(folder / "sweep.csv", table);
  }
  return done;
}

Executed execute(const ScenarioFile& file, const fs::path& out, const ExecuteOptions& options) {
  Plan plan(file);
  StagedFolder staged(out);
  const Executed done = execute_into(plan, staged.folder(), staged.target(), options);
  staged.publish();
  return done;
}

}  // namespace lagnet
