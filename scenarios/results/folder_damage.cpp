#include "scenarios/results/folder_damage.hpp"

#include <fmt/format.h>

#include <boost/algorithm/string.hpp>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/diagnostics.hpp"
#include "scenarios/json/json_file.hpp"

namespace lagnet {

namespace fs = std::filesystem;

std::optional<std::string> error_of_point(const fs::path& folder) {
  if (!fs::exists(folder / error_name)) return std::nullopt;
  return boost::trim_copy(read_file(folder / error_name));
}

bool is_tuning(const fs::path& folder) {
  return fs::exists(folder / "candidates.csv") || fs::exists(folder / "tune.json");
}

std::string folder_damage(const fs::path& folder) {
  const bool is_sweep = fs::exists(folder / "sweep.csv") || fs::exists(folder / "sweep.json");
  const char* facts_name = is_tuning(folder) ? "tune.json" : is_sweep ? "sweep.json" : "summary.json";
  for (const char* name : {"scenario.json", facts_name})
    if (!fs::is_regular_file(folder / name)) return fmt::format("{}: missing", name);
  const Json facts = try_json(read_file(folder / facts_name));
  if (!facts.is_object()) return fmt::format("{}: expected a JSON object, found something else", facts_name);
  const std::string found = checksum(read_file(folder / "scenario.json"));
  const auto stated = facts.find("scenario_crc32");
  if (stated == facts.end()) return fmt::format("{}: expected the key scenario_crc32, found none", facts_name);
  if (*stated == found) return "";
  return fmt::format("scenario.json: is not the scenario of these results: its CRC-32 is {}, and {} in {}", found,
                     shown(*stated), facts_name);
}

}  // namespace lagnet
