#include "scenarios/results/run_files.hpp"

#include <fstream>
#include <string>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/results/agent_link_csv.hpp"
#include "scenarios/results/critical_path_csv.hpp"
#include "scenarios/results/model_files.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/resources_csv.hpp"
#include "scenarios/results/run_summary.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// The model of a run with the values of another one, whose files are copied if it ends with the same round.
Json copy_model(const Outcome& outcome, const fs::path& folder, const RecordedSource& source) {
  const Json& model = source.summary["model"];
  const bool is_there = model.value("file", Json()).is_string();
  if (is_there && (outcome.rows.empty() || outcome.rows.back().round != source.values.last_round()))
    return model_of_other_round(source.values.last_round());
  for (const std::string_view name : model_file_names)
    if (fs::exists(source.folder / name)) fs::copy_file(source.folder / name, folder / name);
  return model;
}

/// The keys of summary.json that are values.
void copy_values(Json& facts, const Outcome& outcome, const fs::path& folder, const RecordedSource& source) {
  facts["retimed"] = {{"trace_hash", source.trace_hash()}};
  for (const char* key : {"objective_start", "optimum", "constants"}) facts[key] = source.summary[key];
  facts["model"] = copy_model(outcome, folder, source);
}

}  // namespace

WrittenScenario write_scenario_file(const Experiment& experiment, const fs::path& folder, const fs::path& target) {
  constexpr int indent = 2;
  const Json document = write_scenario(experiment.scenario, target);
  const std::string text = document.dump(indent) + "\n";
  write_file(folder / "scenario.json", text);
  return {.checksum = checksum(text), .inputs = inputs_of(document, target, experiment.read)};
}

void write_run_files(const Experiment& experiment, const Outcome& outcome, const fs::path& folder,
                     const WrittenScenario& scenario, const RecordedSource* source) {
  constexpr int indent = 2;
  Json facts = summary(experiment, outcome);
  if (!scenario.inputs.empty()) facts["inputs"] = scenario.inputs;
  facts["scenario_crc32"] = scenario.checksum;
  if (source)
    copy_values(facts, outcome, folder, *source);
  else
    facts["model"] = write_model(experiment, outcome, folder);
  write_file(folder / "summary.json", facts.dump(indent) + "\n");
  const auto write_table = [&](const char* name, const auto& write) {
    std::ofstream file = open_for_writing(folder / name);
    write(experiment, outcome, [&file](std::string_view piece) { file << piece; });
    close_written(file, folder / name);
  };
  write_table("agents.csv", write_agents_csv);
  write_table("links.csv", write_links_csv);
  if (!experiment.costs.sites().empty()) write_table("sites.csv", write_sites_csv);
  if (experiment.scenario.record.holders) write_table("samples.csv", write_samples_csv);
  if (outcome.resources) write_table("resources.csv", write_resources_csv);
  if (outcome.path) write_table("critical_path.csv", write_critical_path_csv);
  if (has_staleness(outcome)) write_table("staleness.csv", write_staleness_csv);
}

Outcome run_point(const Experiment& experiment, const fs::path& folder, const fs::path& target, RunOptions options,
                  const RecordedSource* source) {
  if (source) options.recorded = &source->values;
  make_folder(folder);
  const WrittenScenario scenario = write_scenario_file(experiment, folder, target);
  const RecordOptions& record = experiment.scenario.record;
  const fs::path trace_name = folder / "trace.jsonl", timeline_name = folder / "timeline.json";
  std::ofstream trace, timeline;
  if (record.trace) trace = open_for_writing(trace_name);
  if (record.timeline) timeline = open_for_writing(timeline_name);
  options.trace = record.trace ? &trace : nullptr;
  options.timeline = record.timeline ? &timeline : nullptr;
  ProgressFile progress(experiment, folder);
  options.row = [&progress, tell = std::move(options.row)](const Row& row) {
    progress.add(row);
    if (tell) tell(row);
  };
  Outcome outcome = run(experiment, options);
  if (record.trace) close_written(trace, trace_name);
  if (record.timeline) close_written(timeline, timeline_name);
  progress.close();
  write_run_files(experiment, outcome, folder, scenario, source);
  return outcome;
}

}  // namespace lagnet
