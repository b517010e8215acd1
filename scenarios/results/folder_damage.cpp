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

std::optional<Diagnostic> folder_damage(const fs::path& folder) {
  const bool is_sweep = fs::exists(folder / "sweep.csv") || fs::exists(folder / "sweep.json");
  const char* facts_name = is_tuning(folder) ? "tune.json" : is_sweep ? "sweep.json" : "summary.json";
  for (const char* name : {"scenario.json", facts_name})
    if (!fs::is_regular_file(folder / name)) return Diagnostic{name, "", "missing"};
  const Json facts = try_json(read_file(folder / facts_name));
  if (!facts.is_object()) return Diagnostic{facts_name, "a JSON object", "something else"};
  const std::string found = checksum(read_file(folder / "scenario.json"));
  const auto stated = facts.find("scenario_crc32");
  if (stated == facts.end()) return Diagnostic{facts_name, "the key scenario_crc32", "none"};
  if (*stated == found) return std::nullopt;
  return Diagnostic{"scenario.json", "",
                    fmt::format("is not the scenario of these results: its CRC-32 is {}, and {} in {}", found,
                                shown(*stated), facts_name)};
}

}  // namespace lagnet
