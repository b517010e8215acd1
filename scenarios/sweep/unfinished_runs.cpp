#include "scenarios/sweep/unfinished_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <system_error>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/swept_columns.hpp"
#include "scenarios/sweep/sweep_checkpoint.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

fs::path certificate_of(const fs::path& folder, const std::string& key) {
  return folder / (key + SweepCheckpoint::finished_suffix);
}

/// The folders of the points that run, by their keys; "" is the key of a single run.
std::map<std::string, fs::path> running_folders(const fs::path& folder) {
  std::map<std::string, fs::path> running{{"", folder}};
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator(folder, gone)) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == SweepCheckpoint::running_suffix)
      running.try_emplace(name.substr(0, name.find('.')), entry.path());
  }
  return running;
}

/// What a summary says of the end of a run, as of its last row.
Json summary_so_far(const ProgressTable& progress) {
  const auto last = [&](const char* column) {
    const auto* values = progress.find(column);
    return values ? Json(values->back()) : Json(nullptr);
  };
  Json row = Json::object();
  for (std::size_t k = 0; k < progress.columns.size(); ++k)
    if (!progress.empty[k].back()) row[progress.columns[k]] = progress.values[k].back();
  return {{"status", RecordedRun::status_under_way},
          {"stop", {{"reason", "under way"}, {"round", last("round")}, {"simulated_s", last("simulated_s")}}},
          {"totals", {{"messages_sent", last("messages")}, {"bytes_sent", last("bytes")}, {"flops", last("flops")}}},
          {"last_row", std::move(row)}};
}

/// The rows so far of a run that goes on; nothing before the first one.
std::optional<RecordedRun> run_under_way(const fs::path& folder) {
  if (!fs::exists(folder / "progress.csv") || !fs::exists(folder / "scenario.json")) return std::nullopt;
  RecordedRun run;
  run.folder = folder;
  run.scenario = read_recorded_json(folder / "scenario.json");
  run.progress = read_progress(folder / "progress.csv");
  if (run.progress.rows() == 0) return std::nullopt;
  run.summary = summary_so_far(run.progress);
  return run;
}

/// The finished share of a run; 0 if its end is not a number of rounds.
double share_done(const RecordedRun& run) {
  const auto rounds = Document(run.scenario).number("/stop/rounds"),
             round = Document(run.summary).number("/stop/round");
  return rounds && round && *rounds > 0 ? std::min(1.0, *round / *rounds) : 0;
}

}  // namespace

std::vector<UnfinishedReader::Place> UnfinishedReader::places() const {
  std::vector<Place> found;
  const fs::path announced = folder_ / SweepCheckpoint::points_name;
  if (fs::exists(announced)) {
    const Json points = try_json(read_file(announced));
    if (points.is_array())
      for (const Json& point : points) found.push_back({point.value("key", ""), point.value("folder", "")});
  } else if (fs::exists(folder_ / "progress.csv")) {
    found.push_back({.key = "", .name = folder_.stem().string()});
  }
  return found;
}

std::string UnfinishedReader::signature() const {
  std::vector<std::string> seen;
  const auto add_rows = [&](const fs::path& rows) {
    std::error_code ignored;
    if (const auto size = fs::file_size(rows, ignored); !ignored) seen.push_back(fmt::format("{}", size));
  };
  add_rows(folder_ / "progress.csv");
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const fs::path& path = entry.path();
    seen.push_back(path.filename().string());
    if (path.extension() == SweepCheckpoint::running_suffix) add_rows(path / "progress.csv");
  }
  std::ranges::sort(seen);
  return fmt::format("{}", fmt::join(seen, "\n"));
}

const RecordedRun& UnfinishedReader::finished_run(const Place& place) {
  const auto time = fs::last_write_time(certificate_of(folder_, place.key));
  const auto known = finished_.find(place.key);
  if (known != finished_.end() && known->second.first == time) return known->second.second;
  return finished_.insert_or_assign(place.key, std::pair(time, read_recorded_run(folder_ / place.key)))
      .first->second.second;
}

UnfinishedRuns UnfinishedReader::read() {
  UnfinishedRuns so_far;
  const std::vector<Place> all = places();
  so_far.points = all.size();
  std::vector<std::string> pointers;
  if (!all.empty() && !all.front().key.empty())
    pointers = pointers_of_sweep(read_recorded_json(folder_ / "scenario.json"));
  std::string name_of_last;
  const std::map<std::string, fs::path> running = running_folders(folder_);
  for (const Place& place : all) {
    if (!place.key.empty() && fs::exists(certificate_of(folder_, place.key))) {
      ++so_far.finished;
      if (const auto error = error_of_point(folder_ / place.key)) {
        so_far.recorded.broken.push_back(fmt::format("{}: {}", place.name, *error));
        continue;
      }
      so_far.recorded.runs.push_back(finished_run(place));
    } else if (auto run = running.contains(place.key) ? run_under_way(running.at(place.key)) : std::nullopt) {
      so_far.under_way += share_done(*run);
      so_far.recorded.runs.push_back(std::move(*run));
    } else {
      continue;
    }
    set_point(so_far.recorded.runs.back(), pointers);
    name_of_last = place.name;
  }
  if (so_far.recorded.runs.empty()) return so_far;
  label_runs(so_far.recorded.runs);
  // The folder of a lone run has another name in the end.
  if (RecordedRun& run = so_far.recorded.runs.back();
      so_far.recorded.runs.size() == 1 && run.label == run.folder.filename().string())
    run.label = name_of_last;
  return so_far;
}

}  // namespace lagnet
