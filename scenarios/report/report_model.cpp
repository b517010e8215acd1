#include "scenarios/report/report_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/central/optimum.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/result_columns.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/report/comparison_model.hpp"
#include "scenarios/report/report_presentation.hpp"
#include "scenarios/report/report_tables.hpp"
#include "scenarios/report/scenario_differences.hpp"
#include "scenarios/report/thinned_rows.hpp"
#include "scenarios/report/timeline_window.hpp"
#include "scenarios/report/what_if_model.hpp"
#include "scenarios/results/run_summary.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

// What a page has room for, all runs together: about 0.9, 0.7 and 0.25 MB beside the 1.1 MB of the chart library.
constexpr std::size_t cells_of_progress = 90'000, cells_of_loads = 110'000, slices = 6'000;
constexpr std::size_t figure_room = 20;  // times as many cells, for what is drawn and not kept
constexpr std::size_t rows_max = 4'000, rows_min = 40, slices_min = 200;
constexpr std::int64_t timeline_agents_max = 100;
constexpr int progress_digits = 9, digits_of_many = 6;
constexpr std::size_t many = 60;  // runs

/// Runs that differ in their seeds alone are one group: its members are what a band is drawn of.
Json groups_of(const std::vector<RecordedRun>& runs) {
  Json list = Json::array();
  for (std::size_t k = 0; k < runs.size(); ++k) {
    auto group = std::ranges::find_if(list, [&](const Json& known) { return known["label"] == runs[k].series; });
    if (group == list.end()) {
      list.push_back({{"runs", Json::array()}, {"label", runs[k].series}});
      group = list.end() - 1;
    }
    (*group)["runs"].push_back(k);
  }
  return list;
}

/// The smallest relative error that can be distinguished from 0, from the summary or its certificate; null without F*.
Json smallest_error(const Json& summary) {
  constexpr double rounding = 1e-16;
  const Document document(summary);
  const auto value = document.number("/optimum/value"), start = document.number("/objective_start");
  if (!value) return nullptr;
  if (const auto told = document.number("/optimum/smallest_error")) return *told;
  const auto gap = document.number("/optimum/certificate_relative");
  const bool bounds_gap = document.text("/optimum/certificate") == name_of(CertificateKind::duality_gap);
  if (!bounds_gap || !gap || !start || *start <= *value) return rounding;
  return std::max(rounding, *gap * *start / (*start - *value));
}

Json progress_of(const RecordedRun& run, std::size_t runs, const ReportOptions& options) {
  const std::size_t cells = cells_of_progress * (options.is_for_figure ? figure_room : 1) / runs;
  const std::size_t columns = std::max<std::size_t>(varying_columns(run.progress), 1);
  const auto rows = thinned_rows(run.progress, std::clamp(cells / columns, rows_min, rows_max));
  const std::vector<std::string_view> names(run.progress.columns.begin(), run.progress.columns.end());
  return report_table(run.progress, rows, names, runs > many ? digits_of_many : progress_digits);
}

/// Of the last row what the table of runs shows.
Json last_of(const Json& summary) {
  Json kept = Json::object();
  const Json& last = Document(summary).at("/last_row");
  for (const char* key : {"relative_error", "relative_error_last", "objective"})
    if (last.contains(key)) kept[key] = last[key];
  return kept;
}

/// The scenario of the first run; those of the others as what they change in it.
void add_scenario(const RecordedRun& run, const RecordedRun& first, Json& entry) {
  if (&run == &first)
    entry["scenario"] = run.scenario;
  else
    entry["scenario_patch"] = Json::diff(first.scenario, run.scenario);
}

void add_timeline(const RecordedRun& run, const ReportOptions& options, std::size_t slices_max, Json& entry) {
  entry["timeline"] = nullptr;
  const fs::path path = run.folder / "timeline.json";
  if (run.is_under_way()) {
    entry["why_no_timeline"] = "The run is under way.";
    return;
  }
  if (!fs::exists(path)) {
    entry["why_no_timeline"] = "No timeline was recorded; `--set /record/timeline=true` asks for one.";
    return;
  }
  const auto agents = run.summary.at("topology").at("agents").get<std::int64_t>();
  entry["timeline"] =
      read_timeline_window(path, agents, {options.window_from_s, options.window_to_s, timeline_agents_max, slices_max});
  entry["why_no_timeline"] = "Nothing happens in this window.";
}

Json entry_of(const RecordedRun& run, const ReportOptions& options, std::size_t runs, RunLoads& loads) {
  const Json& summary = run.summary;
  Json entry{{"label", run.label},
             {"series", run.series},
             {"folder", run.folder.string()},
             {"command", fmt::format("lagnet run {} --out DIR", (run.folder / "scenario.json").string())},
             {"version", summary.value("lagnet_version", "")},
             {"status", summary.value("status", "")},
             {"stop", summary.at("stop")},
             {"trace_hash", summary.value("trace_hash", "")},
             {"description", run.scenario.value("description", "")},
             {"source", run.scenario.value("source", "")},
             {"warnings", as_json(warnings_in(summary))},
             {"totals", summary.at("totals")},
             {"smallest_error", smallest_error(summary)},
             {"last", last_of(summary)},
             {"data", summary.value("data", Json())},
             {"bound", summary.value("bound", Json())},
             {"rows", run.progress.rows()},
             {"progress", progress_of(run, runs, options)}};
  Json ages = Json::array();  // [how old, how often], ascending
  const Json counts = entry["totals"].value("staleness", Json::object());
  for (const auto& [age, count] : counts.items()) ages.push_back({std::stoll(age), count});
  entry["totals"].erase("staleness");
  if (!ages.empty()) entry["staleness"] = std::move(ages);
  if (Document(summary).has("/critical_path/longest")) entry["critical_path"] = summary["critical_path"];
  loads.add(run, entry);
  add_timeline(run, options, std::max(slices / runs, slices_min), entry);
  return entry;
}

Json labels() {
  Json labels = Json::object();
  for (const auto& [name, label] : column_labels()) labels[std::string(name)] = label;
  return labels;
}

/// What all scenarios say under a key, "" if they do not say the same.
std::string said_by_all(const std::vector<RecordedRun>& runs, const char* key) {
  const auto said = [&](const RecordedRun& run) { return run.scenario.value(key, ""); };
  const std::string first = said(runs.front());
  return std::ranges::all_of(runs, [&](const RecordedRun& run) { return said(run) == first; }) ? first : "";
}

std::string title_of(const std::vector<RecordedRun>& runs) {
  const std::string name = said_by_all(runs, "name");
  if (!name.empty()) return name;
  return runs.size() == 1 ? runs.front().label : fmt::format("{} runs", runs.size());
}

std::string subtitle_of(const std::vector<RecordedRun>& runs) {
  const std::string description = said_by_all(runs, "description");
  if (runs.size() == 1) return description;
  return fmt::format("{} runs{}", runs.size(), description.empty() ? "" : ". " + description);
}

}  // namespace

Json report_model(const RecordedRuns& recorded, const ReportOptions& options) {
  const auto& runs = recorded.runs;
  RunLoads loads(cells_of_loads / runs.size());
  Json list = Json::array();
  try {
    for (const RecordedRun& run : runs) {
      list.push_back(entry_of(run, options, runs.size(), loads));
      add_scenario(run, runs.front(), list.back());
    }
  } catch (const Json::exception& error) {
    throw OutputError(fmt::format("{}: expected the scenario.json and summary.json of a run, found something else: {}",
                                  runs[list.size()].folder.string(), error.what()));
  }
  std::vector<Json> scenarios;
  for (const RecordedRun& run : runs) scenarios.push_back(rooted_scenario(run));
  std::vector<const Json*> compared;
  for (const Json& scenario : scenarios) compared.push_back(&scenario);
  ReportPresentation presentation = report_presentation(runs);
  if (options.is_unfinished) presentation.claims.clear();
  std::string comparison_missing;
  Json comparison = comparison_model(runs, options.compare, comparison_missing);
  Json what_if = options.has_what_if && !options.is_unfinished ? what_if_model(runs, comparison) : Json();
  return {{"lagnet_version", version()},
          {"title", title_of(runs)},
          {"subtitle", subtitle_of(runs)},
          {"command", options.command},
          {"comparison", std::move(comparison)},
          {"comparison_missing", comparison_missing.empty() ? Json() : Json(comparison_missing)},
          {"labels", labels()},
          {"runs", std::move(list)},
          {"groups", groups_of(runs)},
          {"layouts", loads.layouts()},
          {"differences", scenario_differences(compared)},
          {"claims", std::move(presentation.claims)},
          {"panels", std::move(presentation.panels)},
          {"maps", std::move(presentation.maps)},
          {"what_if", std::move(what_if)},
          {"broken", recorded.broken}};
}

}  // namespace lagnet
