#include "scenarios/compare/replay.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/pattern.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/model_files.hpp"
#include "scenarios/results/recorded_source.hpp"
#include "scenarios/tune/tune.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

Json summary_of(const fs::path& folder) {
  return fs::exists(folder / "summary.json") ? try_json(read_file(folder / "summary.json")) : Json();
}

/// Whether a model of summary.json is what a retimed run says that ended before the run with numbers.
bool is_of_other_round(const Json& model, const Json& fresh) {
  const Json round = model.is_object() ? model.value("last_round", Json()) : Json();
  return round.is_number_integer() && model == model_of_other_round(round.get<Round>()) &&
         fresh.at("stop").at("round") < round;
}

/// Gives the new run's summary what a retimed one has in other ways than the run with numbers: the mark, and, where it
/// ended before that one, no model. What does not look like it stays a difference.
void mark_as_retimed(const fs::path& recorded, const fs::path& fresh) {
  static const Pattern hash("[0-9a-f]{16}");
  const Json from = summary_of(recorded), of = summary_of(fresh);
  if (!from.is_object() || !of.is_object()) return;
  const Json mark = from.value("retimed", Json());
  const bool is_mark = mark.is_object() && mark.size() == 1 && mark.value("trace_hash", Json()).is_string();
  if (!is_mark || !hash.match(mark["trace_hash"].get<std::string>())) return;
  const bool lacks_model =
      is_of_other_round(from.value("model", Json()), of) &&
      std::ranges::none_of(model_file_names, [&](auto name) { return fs::exists(recorded / name); });
  Json marked = Json::object();  // in the order of the file
  for (const auto& [key, value] : of.items()) {
    if (key == "model") marked["retimed"] = mark;
    marked[key] = key == "model" && lacks_model ? from["model"] : value;
  }
  if (lacks_model)
    for (const std::string_view name : model_file_names) fs::remove(fresh / name);
  write_file(fresh / "summary.json", marked.dump(2) + "\n");
}

/// The first file that a run or a point has read and that is another now.
std::optional<Difference> changed_file(const fs::path& folder) {
  FileDigests known;
  for (const fs::path& name : files_in_order({folder}))
    if (name.filename() == "summary.json")
      if (const auto changed =
              changed_input(inputs_in(summary_of((folder / name).parent_path())), (folder / name).parent_path(), known))
        return Difference{.code = "input",
                          .file = name.string(),
                          .where = changed->where,
                          .expected = changed->expected,
                          .found = changed->found};
  return std::nullopt;
}

}  // namespace

std::optional<Difference> replay(const fs::path& folder, const ExecuteOptions& options) {
  const auto has = [&](const char* name) { return fs::exists(folder / name); };
  const auto refuse = [&](const std::string& found) {
    throw OutputError(fmt::format("{}: expected a folder that a run wrote, found {}", folder.string(), found));
  };
  if (const auto error = error_of_point(folder)) refuse("that of a point that ended by an error: " + *error);
  if (!has("scenario.json") && !has("summary.json") && !has("sweep.csv") && !has("sweep.json") && !is_tuning(folder))
    refuse("none");
  if (const auto damage = folder_damage(folder))
    return Difference{.code = "damaged", .file = damage->where, .expected = damage->expected, .found = damage->found};
  if (auto changed = changed_file(folder)) return changed;
  const TemporaryFolder fresh("replay");
  try {
    const ScenarioFile file = read_scenario_file(folder / "scenario.json");
    std::optional<Tuning> tuning;
    if (is_tuning(folder)) tuning.emplace(file);
    Plan plan = tuning ? Plan(file, tuning->planned(), options.settings) : Plan(file, options.settings);
    execute_into(plan, fresh.path(), file.folder, options);
  } catch (const Diagnosed& error) {
    return Difference{.code = "refused", .file = "scenario.json", .found = error.what()};
  }
  for (const fs::path& name : files_in_order({folder}))
    if (name.filename() == error_name && !fs::exists(fresh.path() / name))
      return Difference{.code = "no_error", .file = name.string()};
  for (const fs::path& name : files_in_order({fresh.path()}))
    if (name.filename() == "summary.json")
      mark_as_retimed(folder / name.parent_path(), fresh.path() / name.parent_path());
  for (const fs::path& name : files_in_order({fresh.path()})) {
    if (!fs::is_regular_file(folder / name)) return Difference{.code = "missing", .file = name.string()};
    if (auto found = file_difference(folder / name, fresh.path() / name, name)) return found;
  }
  return std::nullopt;
}

}  // namespace lagnet
