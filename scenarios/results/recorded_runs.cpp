#include "scenarios/results/recorded_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <limits>
#include <map>
#include <set>

#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/format/series_names.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/swept_columns.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// Throws OutputError unless it is the folder of a run or a sweep. Says what is the matter as nearly as it can.
void check_is_result_folder(const fs::path& folder) {
  const auto refuse = [&](const std::string& found) {
    throw OutputError(fmt::format("{}: expected the folder of a run or a sweep, found {}", folder.string(), found));
  };
  const fs::path partial = partial_of(folder);
  if (!fs::exists(folder))
    refuse(fs::exists(partial) ? "only " + partial.string() + ", which is not finished" : "nothing");
  if (!fs::is_directory(folder)) refuse("a file");
  if (fs::is_empty(folder)) refuse("an empty folder");
  if (const auto error = error_of_point(folder)) refuse("that of a point that ended by an error: " + *error);
  if (fs::absolute(folder / "").lexically_normal().parent_path().extension() == ".partial")
    refuse("one that is not finished");
  if (is_tuning(folder))
    refuse(fmt::format(
        "that of a tuning: its runs are in {0}/000, .., and `lagnet run {0}/tuned.json` runs the chosen scenario",
        (folder / "").parent_path().string()));
  for (const char* name : {"scenario.json", "summary.json", "progress.csv", "sweep.csv", "sweep.json"})
    if (fs::exists(folder / name)) return;
  refuse("something else");
}

/// For each of the sweep's `count` points, whether it is wanted; nothing if the sweep's scenario does not determine
/// it.
std::vector<bool> wanted_points(const ScenarioFile& sweep, std::size_t count, const WantedPoint& is_wanted) {
  std::vector<SweepPoint> points;
  if (!diagnostics_of([&] { points = sweep_points(sweep); }).empty() || points.size() != count) return {};
  std::vector<bool> wanted;
  for (const SweepPoint& point : points) wanted.push_back(is_wanted(point.values));
  return wanted;
}

/// Reads as much of the folder of a run or point as is asked for.
using ReadRun = RecordedRun(const fs::path& folder);

/// Visits the points of a sweep, as sweep.csv lists them.
void visit_sweep(const fs::path& folder, const WantedPoint& is_wanted, ReadRun* read, const RunVisitor& visitor) {
  if (const auto damage = folder_damage(folder)) throw OutputError((folder / sentence(*damage)).string());
  const fs::path table = folder / "sweep.csv";
  if (!fs::is_regular_file(table)) throw OutputError(fmt::format("{}: missing", table.string()));
  std::vector<std::string> names;
  RecordedCsv records(table);
  for (std::vector<std::string> cells; records.next(cells);) names.push_back(cells.front());
  const Json scenario = read_recorded_json(folder / "scenario.json");
  const std::vector<std::string> pointers = pointers_of_sweep(scenario);
  std::vector<bool> wanted;
  if (is_wanted) wanted = wanted_points({folder.string(), folder, scenario}, names.size(), is_wanted);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i < wanted.size() && !wanted[i]) continue;
    const fs::path point = folder / names[i];
    if (const auto error = error_of_point(point)) {
      visitor.broken(point, *error);
      continue;
    }
    RecordedRun run = read(point);
    set_point(run, pointers);
    visitor.complete(std::move(run));
  }
}

void visit_runs(const std::vector<fs::path>& given, const WantedPoint& is_wanted, ReadRun* read,
                const RunVisitor& visitor) {
  std::set<fs::path> places;
  const RunVisitor once{.complete =
                            [&](RecordedRun&& run) {
                              if (!places.insert(fs::weakly_canonical(run.folder)).second)
                                throw OutputError(fmt::format("{}: given twice", run.folder.string()));
                              visitor.complete(std::move(run));
                            },
                        .broken = visitor.broken};
  for (const fs::path& folder : given) {
    try {
      check_is_result_folder(folder);
      if (fs::exists(folder / "sweep.csv") || fs::exists(folder / "sweep.json"))
        visit_sweep(folder, is_wanted, read, once);
      else
        once.complete(read(folder));
    } catch (const fs::filesystem_error& error) {
      throw OutputError(fmt::format("{}: cannot be read: {}", folder.string(), error.code().message()));
    }
  }
}

/// The run's differences from others, except its seed. Throws OutputError if its scenario.json is invalid.
Json identity_of(const RecordedRun& run) {
  try {
    return circumstances_of(run);
  } catch (const Json::exception& error) {
    throw OutputError(fmt::format("{}: expected the scenario.json of a run, found something else: {}",
                                  run.folder.string(), error.what()));
  }
}

/// Of each run, what its series is called.
std::vector<std::string> names_of_series(const std::vector<RecordedRun>& runs) {
  std::vector<Json> scenarios;
  std::map<std::string, std::size_t> known;  // places of scenarios by their texts
  std::vector<std::string> labels;           // of each scenario, where all of its runs have one
  std::vector<std::size_t> places;
  for (const RecordedRun& run : runs) {
    Json scenario = identity_of(run);
    const auto [found, is_new] = known.emplace(scenario.dump(), scenarios.size());
    const std::size_t at = found->second;
    if (is_new) {
      scenarios.push_back(std::move(scenario));
      labels.push_back(label_of(run.scenario));
    }
    if (label_of(run.scenario).empty()) labels[at].clear();
    places.push_back(at);
  }
  for (std::size_t k = 0; k < scenarios.size(); ++k) scenarios[k]["label"] = labels[k];
  const std::vector<std::string> names = series_names(scenarios);
  std::vector<std::string> of_runs;
  for (const std::size_t place : places) of_runs.push_back(names[place]);
  return of_runs;
}

/// Throws OutputError if two runs have read other contents from one file: results of what was there before it changed
/// are not compared with those of what was there after.
class SameInputs {
 public:
  void check(const RecordedRun& run) {
    const Json inputs = inputs_in(run.summary);
    if (inputs.empty()) return;
    const fs::path folder = canonical_path(run.folder / "scenario.json").parent_path();
    for (const Json& input : inputs) {
      const fs::path path = (folder / Document(input).text("/path")).lexically_normal();
      const std::string sha256 = Document(input).text("/sha256");
      const auto [known, is_new] = known_.try_emplace(path, Known{sha256, run.folder});
      if (!is_new && known->second.sha256 != sha256)
        throw OutputError(fmt::format(
            "{}: expected runs that have read the same {}, with the SHA-256 {} as in {}, found one with {}: the file "
            "has changed between them; run one of them again, or give the two versions of the file different names",
            run.folder.string(), path.string(), known->second.sha256, known->second.folder.string(), sha256));
    }
  }

 private:
  struct Known {
    std::string sha256;
    fs::path folder;  // of the run that has read it
  };
  std::map<fs::path, Known> known_;
};

}  // namespace

Json read_recorded_json(const fs::path& path) {
  Json document = try_json(read_file(path));
  if (!document.is_object())
    throw OutputError(fmt::format("{}: expected a JSON object, found something else", path.string()));
  return document;
}

RecordedRun read_recorded_run(const fs::path& folder) {
  if (const auto damage = folder_damage(folder)) throw OutputError((folder / sentence(*damage)).string());
  RecordedRun run;
  run.folder = folder;
  run.scenario = read_recorded_json(folder / "scenario.json");
  run.summary = read_recorded_json(folder / "summary.json");
  const fs::path progress = folder / "progress.csv";
  if (!fs::is_regular_file(progress)) throw OutputError(fmt::format("{}: missing", progress.string()));
  run.progress = read_progress(progress);
  const auto& rounds = recorded_column(run, "round");  // the last row tells whether the file is whole
  const Json& last = Document(run.summary).at("/stop/round");
  if (!rounds.empty() && last != rounds.back())
    throw OutputError(fmt::format("{}: expected the last row to be of round {}, as summary.json says, found {}",
                                  progress.string(), shown(last), rounds.back()));
  return run;
}

void set_point(RecordedRun& run, const std::vector<std::string>& pointers) {
  for (const std::string& pointer : pointers) run.point.emplace_back(pointer, Document(run.scenario).at(pointer));
}

// A run that is alone is called as its folder.
void label_runs(std::vector<RecordedRun>& runs) {
  const std::vector<std::string> names = names_of_series(runs);
  std::map<std::string, int> runs_of, with_label;
  for (const std::string& name : names) ++runs_of[name];
  for (std::size_t i = 0; i < names.size(); ++i) {
    RecordedRun& run = runs[i];
    run.series = names[i];
    run.label = runs_of[names[i]] == 1 ? names[i] : fmt::format("{} seed={}", names[i], run.seed());
    ++with_label[run.label];
  }
  // A sweep may name the same value twice.
  for (RecordedRun& run : runs)
    if (with_label[run.label] > 1) run.label = printable(run.folder.string());
  if (runs.size() > 1 || !label_of(runs.front().scenario).empty()) return;
  const fs::path folder = fs::absolute(runs.front().folder / "").lexically_normal().parent_path();
  runs.front().label = printable(folder.filename().string());
}

void visit_recorded_runs(const std::vector<fs::path>& given, const WantedPoint& is_wanted, const RunVisitor& visitor) {
  visit_runs(given, is_wanted, read_recorded_run, visitor);
}

void visit_recorded_scenarios(const std::vector<fs::path>& given, const std::function<void(const Json&)>& visit) {
  const auto read = [](const fs::path& folder) {
    return RecordedRun{.folder = folder, .scenario = read_recorded_json(folder / "scenario.json")};
  };
  visit_runs(given, {}, read,
             {.complete = [&](RecordedRun&& run) { visit(run.scenario); },
              .broken = [](const fs::path&, const std::string&) {}});
}

RecordedRuns read_recorded_runs(const std::vector<fs::path>& given, const WantedPoint& is_wanted) {
  RecordedRuns all;
  SameInputs same;
  visit_recorded_runs(
      given, is_wanted,
      {.complete =
           [&](RecordedRun&& run) {
             same.check(run);
             all.runs.push_back(std::move(run));
           },
       .broken = [&](const fs::path& point,
                     const std::string& why) { all.broken.push_back(fmt::format("{}: {}", point.string(), why)); }});
  if (all.runs.empty())
    throw OutputError(fmt::format("{}: expected a run with results, found none{}",
                                  given.empty() ? "" : given.front().string(),
                                  all.broken.empty() ? "" : ": every point ended by an error"));
  label_runs(all.runs);
  return all;
}

const std::vector<double>& recorded_column(const RecordedRun& run, std::string_view column) {
  if (const auto* values = run.progress.find(column)) return *values;
  const auto& columns = run.progress.columns;
  throw OutputError(fmt::format("{}: expected one of the columns {}, found {}{}",
                                (run.folder / "progress.csv").string(), comma_list(columns), column,
                                did_you_mean(column, columns)));
}

ScenarioFile scenario_file(const RecordedRun& run) {
  return {run.folder.string(), canonical_path(run.folder / "scenario.json").parent_path(), run.scenario};
}

Json rooted_scenario(const RecordedRun& run) { return rooted(scenario_file(run)); }

Json circumstances_of(const RecordedRun& run) {
  Json all = circumstances(rooted_scenario(run));
  if (const Json& runtime = Document(run.summary).at("/runtime"); !runtime.is_null()) all["runtime"] = runtime;
  return all;
}

}  // namespace lagnet
