#include "scenarios/compare/replay.hpp"

#include <fmt/format.h>

#include <optional>

#include "scenarios/compare/difference.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/results/model_files.hpp"
#include "scenarios/tune/tune.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

/// Gives the new run's summary what only a retimed one has: that it was, and, where it ended with another round than
/// the run with numbers, that it has no model.
void mark_as_retimed(const fs::path& recorded, const fs::path& fresh) {
  const auto read = [](const fs::path& folder) {
    return fs::exists(folder / "summary.json") ? Json::parse(read_file(folder / "summary.json"), nullptr, false)
                                               : Json();
  };
  const Json from = read(recorded);
  Json of = read(fresh);
  if (!from.is_object() || !from.contains("retimed") || !of.is_object()) return;
  Json marked = Json::object();
  const bool lacks_model = from.value("model", Json::object()).value("why", "").starts_with("retimed");
  for (const auto& [key, value] : from.items())
    if (key == "retimed" || (key == "model" && lacks_model))
      marked[key] = value;
    else if (of.contains(key))
      marked[key] = of[key];
  for (const auto& [key, value] : of.items())
    if (!marked.contains(key)) marked[key] = value;
  if (lacks_model)
    for (const std::string_view name : model_file_names) fs::remove(fresh / name);
  write_file(fresh / "summary.json", marked.dump(2) + "\n");
}

}  // namespace

std::string replay(const fs::path& folder, const ExecuteOptions& options) {
  const auto has = [&](const char* name) { return fs::exists(folder / name); };
  const auto refuse = [&](const std::string& found) {
    throw OutputError(fmt::format("{}: expected a folder that a run wrote, found {}", folder.string(), found));
  };
  if (const auto error = error_of_point(folder)) refuse("that of a point that ended by an error: " + *error);
  if (!has("scenario.json") && !has("summary.json") && !has("sweep.csv") && !has("sweep.json") && !is_tuning(folder))
    refuse("none");
  if (auto damage = folder_damage(folder); !damage.empty()) return damage;
  const TemporaryFolder fresh("replay");
  try {
    const ScenarioFile file = read_scenario_file(folder / "scenario.json");
    std::optional<Tuning> tuning;
    if (is_tuning(folder)) tuning.emplace(file);
    Plan plan = tuning ? Plan(file, tuning->planned(), options.budget) : Plan(file, options.budget);
    execute_into(plan, fresh.path(), file.folder, options, true);
  } catch (const ScenarioError& error) {
    return fmt::format("scenario.json: cannot be run: {}", error.what());
  }
  for (const fs::path& name : files_in_order({folder}))
    if (name.filename() == error_name && !fs::exists(fresh.path() / name))
      return fmt::format("{}: the point ended by an error, and does not in the new run", name.string());
  for (const fs::path& name : files_in_order({fresh.path()}))
    if (name.filename() == "summary.json")
      mark_as_retimed(folder / name.parent_path(), fresh.path() / name.parent_path());
  for (const fs::path& name : files_in_order({fresh.path()})) {
    if (!fs::is_regular_file(folder / name)) return fmt::format("{}: missing", name.string());
    if (const auto text = file_difference(folder / name, fresh.path() / name, "in the new run"); !text.empty())
      return fmt::format("{}:{}", name.string(), text);
  }
  return "";
}

}  // namespace lagnet
