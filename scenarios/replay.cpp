#include <fmt/format.h>

#include <cstdlib>

#include "scenarios/difference.hpp"
#include "scenarios/execute.hpp"
#include "scenarios/folder_damage.hpp"
#include "scenarios/result_folder.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

/// A folder that is gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "lagnet-replay-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw OutputError(fmt::format("{}: cannot be written", name));
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

std::string replay(const fs::path& folder, const ExecuteOptions& options) {
  const auto has = [&](const char* name) { return fs::exists(folder / name); };
  if (!has("scenario.json") && !has("summary.json") && !has("sweep.csv") && !has("sweep.json"))
    throw OutputError(fmt::format("{}: expected a folder that a run wrote, found none", folder.string()));
  if (auto damage = folder_damage(folder); !damage.empty()) return damage;
  const TemporaryFolder fresh;
  if (options.writing) options.writing(fresh.path());
  try {
    Plan plan(read_scenario_file(folder / "scenario.json"), options.capacity);
    execute_into(plan, fresh.path(), fs::absolute(folder).lexically_normal(), options);
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
