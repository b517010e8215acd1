#include "scenarios/results/recorded_source.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_summary.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const fs::path& file, const std::string& expected, const std::string& found) {
  throw OutputError(fmt::format("{}: expected {}, found {}", file.string(), expected, found));
}

ErrorScale recorded_error_scale(const Json& summary) {
  ErrorScale scale;
  scale.initial = std::numeric_limits<double>::quiet_NaN();  // nothing to measure by
  const Json &start = summary["objective_start"], &optimum = summary["optimum"];
  if (!start.is_number()) return scale;
  scale.initial = start.get<double>();
  if (!optimum.value("value", Json()).is_number() || !optimum.value("smallest_error", Json()).is_number()) return scale;
  scale.optimum = optimum["value"].get<double>();
  scale.floor = optimum["smallest_error"].get<double>();
  return scale;
}

/// summary.json, whose keys that are used are all there.
Json read_summary(const fs::path& folder) {
  const fs::path path = folder / "summary.json";
  Json summary = parse_json(read_file(path));  // whole, as folder_damage() says
  for (const char* key : {"optimum", "constants", "model", "data"})
    if (!summary.value(key, Json()).is_object())
      refuse(path, fmt::format("an object in the key {}", key), "something else");
  for (const char* key : {"status", "trace_hash", "lagnet_version"})
    if (!summary.value(key, Json()).is_string())
      refuse(path, fmt::format("a text in the key {}", key), "something else");
  if (!summary.contains("objective_start")) refuse(path, "the key objective_start", "none");
  if (summary["status"] != "done")
    refuse(folder, "a run that has come to its end", "one with the status " + shown(summary["status"]));
  const Json file = summary["model"].value("file", Json());
  if (file.is_string() && !fs::is_regular_file(folder / file.get<std::string>()))
    refuse(folder / file.get<std::string>(), "the run's model", "none");
  return summary;
}

/// What the values are made from must be what it was.
void check_same_things(const fs::path& folder, const Json& summary, const Experiment& experiment) {
  Json constants = Json::object();
  for (const auto& [name, value] : experiment.algorithm->constants()) constants[name] = number_or_null(value);
  const bool has_start = summary["objective_start"].is_number();
  const std::pair<const char*, Json> things[]{
      {"lagnet_version", version()},
      {"data", data_facts(experiment)},
      {"constants", std::move(constants)},
      {"objective_start", has_start ? number_or_null(experiment.initial()) : summary["objective_start"]}};
  // The place of the run's scenario does not matter here: pointers and contents are compared.
  const Json inputs = inputs_of(write_fields(experiment.scenario), "/", experiment.read);
  if (const auto changed = input_difference(inputs_in(summary), inputs, {"/network/", "/compute/"}))
    throw OutputError(fmt::format("{}: {}", folder.string(), sentence(*changed)));
  for (const auto& [key, now] : things)
    if (summary[key] != now)
      refuse(folder, fmt::format("a run of the same data and program, {} {}", key, shown(now)), shown(summary[key]));
}

/// Rows of ascending rounds with these columns.
ProgressTable read_rows(const fs::path& path, const std::vector<std::string>& columns) {
  ProgressTable table = read_progress(path);
  if (table.columns != columns)
    refuse(path, "the columns " + comma_list(columns), table.columns.empty() ? "none" : comma_list(table.columns));
  const std::vector<double>& rounds = *table.find("round");
  for (std::size_t row = 0; row < rounds.size(); ++row) {
    const double round = rounds[row], least = row == 0 ? 0 : rounds[row - 1] + 1;
    if (!(round >= least && std::trunc(round) == round && round <= std::numeric_limits<Round>::max()))
      refuse(path, fmt::format("a round from {} on in row {}", least, row + 1), fmt::format("{}", round));
  }
  if (rounds.empty()) refuse(path, "a row or more", "none");
  return table;
}

}  // namespace

std::string RecordedSource::trace_hash() const {
  const Json from = summary.value("retimed", Json::object());
  const std::string own = summary["trace_hash"].get<std::string>();
  return from.is_object() ? from.value("trace_hash", own) : own;
}

RecordedSource read_source(const fs::path& folder, const Experiment& experiment) {
  if (const auto damage = folder_damage(folder)) throw OutputError((folder / sentence(*damage)).string());
  RecordedSource source{.folder = folder, .summary = read_summary(folder), .values = {}};
  check_same_things(folder, source.summary, experiment);
  source.values.bound = bound_in(source.summary);
  source.values.error_scale = recorded_error_scale(source.summary);
  source.values.progress = read_rows(folder / "progress.csv", progress_columns(experiment));
  return source;
}

Json model_of_other_round(Round round) {
  return {
      {"file", nullptr},
      {"last_round", round},
      {"why", fmt::format("retimed: the run with numbers ended with round {}, and has no model of another", round)}};
}

}  // namespace lagnet
