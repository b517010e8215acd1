#include "scenarios/sweep/run_point.hpp"

#include <fstream>
#include <string>
#include <utility>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_files.hpp"

namespace lagnet {

namespace fs = std::filesystem;

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
