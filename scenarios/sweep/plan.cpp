#include "scenarios/sweep/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/assembly/catalogues/python_parts.hpp"
#include "scenarios/assembly/memory_estimate.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/results/sweep_table.hpp"

namespace lagnet {

namespace {

/// What it may take to assemble the points after the first, whose need is known: as much, and for other data these
/// three times, since readers, preprocessing and the central solver work on copies.
std::vector<MemoryNeed> assembling_needs(const std::vector<std::string>& data_keys, const MemoryNeed& first) {
  std::vector<MemoryNeed> needs;
  for (std::size_t i = 1; i < data_keys.size(); ++i)
    needs.push_back({.own = first.own + (data_keys[i] == data_keys[0] ? 0 : 3 * first.shared)});
  return needs;
}

/// Names what scenarios have in common that differ in the seed alone.
std::string text_without_seed(Scenario scenario) {
  scenario.seed = 0;
  return write_fields(scenario).dump();
}

/// The files of a sweep beside its points' folders.
void write_sweep(const Plan& plan, const CompletePoints& complete) {
  const std::string scenario = relocated(plan.file, complete.target).dump(2) + "\n";
  const Json facts{{"lagnet_version", version()},
                   {"runs", complete.done.runs},
                   {"failed", complete.done.failed},
                   {"scenario_crc32", checksum(scenario)}};
  write_file(complete.folder / "scenario.json", scenario);
  write_sweep_table(complete.folder / "sweep.csv", plan.points, plan.names, complete.folders);
  write_file(complete.folder / "sweep.json", facts.dump(2) + "\n");
}

PlannedPoints points_of_sweep(const ScenarioFile& file) {
  PlannedPoints planned{.points = sweep_points(file), .names = {}, .write = write_sweep};
  const std::size_t count = planned.points.size();
  for (std::size_t i = 0; i < count; ++i) planned.names.push_back(folder_of_point(i, count));
  return planned;
}

/// What one of them says, by the place where it is said.
using Said = std::vector<std::pair<std::string, std::string>>;

Said columns_of_claim(const Choice<ClaimFamily>& claim, const std::string& place) {
  const MeasureOptions& measure = claim.common().measure;
  Said said{{place + "/metric", measure.metric}};
  if (const auto* ratio = claim.options_as<RatioClaim>(); ratio && ratio->to_metric)
    said.emplace_back(place + "/to_metric", *ratio->to_metric);
  if (const auto* ranks = claim.options_as<RankCorrelationClaim>())
    said.emplace_back(place + "/to_metric", ranks->to_metric);
  for (const auto& [key, row] : {std::pair("/at", &measure.at), std::pair("/first", &measure.first)})
    if (row->is_object()) said.emplace_back(place + key, row->begin().key());
  // What begins with a slash is a number of summary.json.
  std::erase_if(said, [](const auto& column) { return column.second == "excess" || column.second.starts_with('/'); });
  return said;
}

Said columns_of_panel(const PanelOptions& panel, const std::string& place) {
  return {{place + "/x", panel.x}, {place + "/y", panel.y}};
}

/// Reports columns that `expect`, `figure` and `maps` name and no run will have, before hours of a sweep are spent.
/// `columns`: those of progress.csv, of each run.
void check_columns(const ScenarioFile& file, const std::vector<std::vector<std::string>>& columns,
                   Diagnostics& problems) {
  const PresentationOptions presentation = read_presentation(file);
  Said said;
  for (std::size_t i = 0; i < presentation.expect.size(); ++i)
    for (auto& column : columns_of_claim(presentation.expect[i], fmt::format("/expect/{}", i)))
      said.push_back(std::move(column));
  for (std::size_t i = 0; i < presentation.figure.size(); ++i)
    for (auto& column : columns_of_panel(presentation.figure[i], fmt::format("/figure/{}", i)))
      said.push_back(std::move(column));
  for (std::size_t i = 0; i < presentation.maps.size(); ++i)
    for (const auto& [key, column] : {std::pair("x", &presentation.maps[i].x), std::pair("y", &presentation.maps[i].y)})
      said.emplace_back(fmt::format("/maps/{}/{}", i, key), *column);
  if (said.empty()) return;

  std::vector<std::string> known;
  std::set<std::string> seen;
  for (const auto& of_run : columns)
    for (const std::string& name : of_run)
      if (seen.insert(name).second) known.push_back(name);
  for (const auto& [place, name] : said)
    if (!seen.contains(name))
      problems.add(place, fmt::format("one of the columns {}", comma_list(known)),
                   fmt::format("{}{}", name, did_you_mean(name, known)));
}

}  // namespace

std::vector<Scenario> read_points(const ScenarioFile& file, const std::vector<SweepPoint>& points) {
  Diagnostics problems(file.shown);
  std::vector<Scenario> scenarios;
  scenarios.reserve(points.size());
  for (const SweepPoint& point : points)
    problems.add_new(diagnostics_of([&] { scenarios.push_back(read_scenario(point.file)); }));
  problems.throw_if_any();
  return scenarios;
}

std::string folder_of_point(std::size_t point, std::size_t points) {
  const std::size_t digits = std::to_string(points - 1).size();
  return fmt::format("{:0{}}", point, std::max<std::size_t>(digits, 3));
}

Plan::Plan(const ScenarioFile& scenario_file, const RunSettings& settings_given, Alike alike, Making making)
    : Plan(scenario_file, points_of_sweep(scenario_file), settings_given, alike, making) {}

Plan::Plan(const ScenarioFile& scenario_file, PlannedPoints planned, const RunSettings& settings_given, Alike alike,
           Making making)
    : PlannedPoints(std::move(planned)), file(scenario_file), needs(points.size()), settings(settings_given) {
  scenarios = read_points(file, points);
  values_from.resize(points.size());
  if (alike == Alike::shared) find_alike();
  if (making == Making::now) make();
}

void Plan::make() {
  std::vector<std::string> data_keys;
  for (const Scenario& scenario : scenarios) data_keys.push_back(data_key(scenario));
  // Where all share one data set, it is there as long as anything runs.
  if (std::ranges::count(data_keys, data_keys.front()) < std::ssize(data_keys)) cache.keep_at_most(settings.memory / 2);
  std::vector<std::vector<Diagnostic>> found(points.size());
  std::vector<std::vector<std::string>> columns(points.size());
  const auto try_out = [&](std::size_t i) {
    found[i] = diagnostics_of([&] {
      if (first_alike(i) != i) return note(check_world(scenarios[i], file.shown));
      Experiment made = assemble(scenarios[i], file.shown, cache);
      note(made.read);
      columns[i] = progress_columns(made);
      if (scenarios.size() == 1) {  // nothing runs beside it
        first_ = std::move(made);
        return;
      }
      const MemoryEstimate takes = estimate_memory(made);
      const auto same_data = std::ranges::find(data_keys, data_keys[i]) - data_keys.begin();
      needs[i] = {.own = takes.own, .shared = takes.data, .shared_thing = static_cast<std::size_t>(same_data)};
    });
  };
  try_out(0);
  run_in_parallel(assembling_needs(data_keys, needs[0]), settings,
                  [&](std::size_t i, const std::stop_token&) { try_out(i + 1); });
  for (std::size_t i = 0; i < points.size(); ++i) needs[i] = needs[first_alike(i)];
  Diagnostics problems(file.shown);
  for (const auto& of_point : found) problems.add_new(of_point);
  if (problems.empty()) check_columns(file, columns, problems);
  problems.throw_if_any();

  if (const auto kept = cache.kept_bytes()) {
    settings.memory -= *kept;
    for (MemoryNeed& need : needs) need.shared = 0;
  }
}

// Points of one sweep must not have read two versions of one file.
void Plan::note(const FileDigests& read) {
  const std::lock_guard alone(keeping_);
  Diagnostics problems(file.shown);
  for (const auto& [path, sha256] : read) {
    const auto [known, is_new] = read_.try_emplace(path, sha256);
    if (!is_new && known->second != sha256)
      problems.add("", fmt::format("{} to stay unchanged, with the SHA-256 {}", path.string(), known->second),
                   fmt::format("one with {}: it has changed since the first run began", sha256));
  }
  problems.throw_if_any();
}

void Plan::find_alike() {
  firsts_.resize(points.size());
  shares_.resize(points.size());
  const std::vector<ValuesFrom> alike = values_from_points(scenarios);
  for (std::size_t i = 0; i < points.size(); ++i) {
    firsts_[i] = alike[i].point.value_or(i);
    if (firsts_[i] != i) shares_[i] = shares_[firsts_[i]] = true;
  }
}

std::shared_ptr<const Experiment> Plan::origin(std::size_t first) {
  const auto entry = origins_.at(names[first]);
  const std::lock_guard alone(entry->making);
  auto found = entry->value.lock();
  if (!found) {
    found = std::make_shared<const Experiment>(assemble(scenarios[first], file.shown, cache));
    note(found->read);
    entry->value = found;
  }
  const std::lock_guard lock(keeping_);
  newest_origin_ = found;
  return found;
}

Experiment Plan::take(std::size_t point) {
  const bool shares = !shares_.empty() && shares_[point];
  if (shares || point > 0 || !first_) {
    Experiment made = shares ? in_other_times(origin(first_alike(point)), scenarios[point], file.shown)
                             : assemble(scenarios[point], file.shown, cache);
    note(made.read);
    return made;
  }
  Experiment made = std::move(*first_);
  first_.reset();
  return made;
}

void check_points(const ScenarioFile& file, const std::vector<SweepPoint>& points) {
  const std::vector<Scenario> scenarios = read_points(file, points);
  std::map<std::string, std::vector<std::size_t>> with_data;
  for (std::size_t i = 0; i < scenarios.size(); ++i) with_data[data_key(scenarios[i])].push_back(i);
  // In the order of the points, whose first problems are those of the first one.
  std::vector<std::vector<std::size_t>> groups;
  for (auto& [key, group] : with_data) groups.push_back(std::move(group));
  std::ranges::sort(groups);

  ExperimentCache one_data_set;
  one_data_set.keep_at_most(0);
  std::set<std::string> tried;
  std::vector<std::vector<Diagnostic>> found(points.size());
  std::vector<std::vector<std::string>> columns(points.size());
  for (const std::size_t i : groups | std::views::join) {
    const Scenario& scenario = scenarios[i];
    const bool is_generated = scenario.data.make().file.empty();
    const bool is_new = tried.insert(text_without_seed(scenario)).second;
    found[i] = diagnostics_of([&] {
      if ((is_new || !is_generated) && !lacks_python(scenario))
        columns[i] = progress_columns(assemble(scenario, file.shown, one_data_set));
      else
        check_world(scenario, file.shown);
    });
  }
  Diagnostics problems(file.shown);
  for (const auto& of_point : found) problems.add_new(of_point);
  if (problems.empty()) check_columns(file, columns, problems);
  problems.throw_if_any();
}

}  // namespace lagnet
