#include "scenarios/compare/replay.hpp"

#include <fmt/format.h>

#include "scenarios/compare/difference.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/temporary_folder.hpp"
#include "scenarios/results/folder_damage.hpp"
#include "scenarios/tune/tune.hpp"

namespace lagnet {

namespace fs = std::filesystem;

std::string replay(const fs::path& folder, const ExecuteOptions& options) {
  const auto has = [&](const char* name) { return fs::exists(folder / name); };
  if (!has("scenario.json") && !has("summary.json") && !has("sweep.csv") && !has("sweep.json") && !is_tuning(folder))
    throw OutputError(fmt::format("{}: expected a folder that a run wrote, found none", folder.string()));
  if (auto damage = folder_damage(folder); !damage.empty()) return damage;
  const TemporaryFolder fresh("replay");
  if (options.writing) options.writing(fresh.path());
  try {
    const ScenarioFile file = read_scenario_file(folder / "scenario.json");
    const fs::path target = file.folder;
    if (is_tuning(folder)) {
      const Tuning tuning(file);
      Plan plan(file, tuning.planned(), options.capacity);
      execute_into(plan, fresh.path(), target, options);
    } else {
      Plan plan(file, options.capacity);
      execute_into(plan, fresh.path(), target, options);
    }
  } catch (const ScenarioError& error) {
    return fmt::format("scenario.json: cannot be run: {}", error.what());
  }
  for (const fs::path& name : files_in_order({fresh.path()})) {
    if (!fs::is_regular_file(folder / name)) return fmt::format("{}: missing", name.string());
    if (const auto text = file_difference(folder / name, fresh.path() / name, "in the new run"); !text.empty())
      return fmt::format("{}:{}", name.string(), text);
  }
  return "";
}

}  // namespace lagnet
