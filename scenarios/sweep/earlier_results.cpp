#include "scenarios/sweep/earlier_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "scenarios/assembly/catalogues/python_parts.hpp"
#include "scenarios/files/canonical_path.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/files/version.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/json/document.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/folder_damage.hpp"

namespace lagnet {

namespace fs = std::filesystem;

namespace {

Json json_in(const fs::path& file) {
  std::error_code none;
  return fs::is_regular_file(file, none) ? try_json(read_file(file)) : Json();
}

[[noreturn]] void refuse(const fs::path& target, const std::string& what) {
  throw OutputError(fmt::format("{}: {}; choose another --out, or pass --replace", target.string(), what));
}

/// The first value in which a scenario differs from that of earlier results.
std::string difference(const Json& now, const Json& before) {
  const std::string first = first_difference(now, before, "there");
  return first.empty() ? "the same values in another form" : first;
}

std::string text_of_run(const Scenario& scenario, const fs::path& target) {
  return write_scenario(scenario, target).dump(2) + "\n";
}

/// Throws OutputError unless the results in a folder are those of a scenario with this text, and have this file.
void refuse_other_work(const fs::path& target, const std::string& text, const char* facts, bool is_real) {
  const std::string before = read_file(target / "scenario.json");
  if (!fs::exists(target / facts)) refuse(target, "expected results of the same command, found those of another");
  if (text != before)
    refuse(target, fmt::format("expected results of this scenario, found those of another: {}",
                               difference(parse_json(text), try_json(before))));
  if (is_real != json_in(target / facts).contains("runtime"))
    refuse(target, is_real ? "expected results of real processes, found simulated ones"
                           : "expected simulated results, found those of real processes");
}

/// Of points whose values come from recorded runs.
bool has_values_of(const ValuesFrom& from, const Json& summary) {
  if (from.folder.empty()) return true;
  return Document(summary).at("/retimed/trace_hash") == from.trace_hash;
}

/// Whether progress.csv is there, to the last row that the summary knows.
bool has_all_rows(const fs::path& folder, const Json& summary) {
  constexpr std::uintmax_t longest_row = 1 << 16;  // of at most some hundred numbers
  if (!summary.contains("last_row")) return true;
  std::error_code none;
  const fs::path file = folder / "progress.csv";
  if (!fs::is_regular_file(file, none)) return false;
  std::ifstream stream(file, std::ios::binary);
  const std::uintmax_t size = fs::file_size(file, none);
  stream.seekg(static_cast<std::streamoff>(size - std::min(size, longest_row)));
  const std::string end{std::istreambuf_iterator<char>(stream), {}};
  const std::size_t before = end.size() < 2 ? std::string::npos : end.rfind('\n', end.size() - 2);
  return before != std::string::npos && end.ends_with('\n') &&
         std::string_view(end).substr(before + 1).starts_with(shown(summary["last_row"]["round"]) + ",");
}

}  // namespace

std::vector<fs::path> folders_of_points(const Plan& plan, const fs::path& target) {
  if (plan.is_run()) return {target};
  std::vector<fs::path> folders;
  for (const std::string& name : plan.names) folders.push_back(target / name);
  return folders;
}

std::string text_of_scenario(const Plan& plan, const fs::path& target) {
  return relocated(plan.file, target).dump(2) + "\n";
}

void write_build(const fs::path& folder) { write_file(folder / build_name, build_identity() + "\n"); }

bool has_results_of(const Plan& plan, const fs::path& target) {
  if (!is_result_folder(target)) return false;
  refuse_other_work(target,
                    plan.is_run() ? text_of_run(plan.scenarios.front(), target) : text_of_scenario(plan, target),
                    plan.facts, false);
  std::error_code none;
  const bool is_of_this_build =
      fs::is_regular_file(target / build_name, none) && read_file(target / build_name) == build_identity() + "\n";
  FileDigests known;
  bool are_whole = true;
  const std::vector<fs::path> folders = folders_of_points(plan, target);
  for (std::size_t i = 0; i < folders.size(); ++i) {
    const Json summary = json_in(folders[i] / Plan::facts_of_run);
    if (const auto changed = changed_input(inputs_in(summary), folders[i], known))
      refuse(target, fmt::format("these results have read other data: {}; restore the file", sentence(*changed)));
    are_whole = are_whole &&
                (summary.is_object() ? has_values_of(plan.values_from[i], summary) && has_all_rows(folders[i], summary)
                                     : error_of_point(folders[i]).has_value());
  }
  return is_of_this_build && are_whole && !folder_damage(target) && std::ranges::none_of(plan.scenarios, has_python);
}

void refuse_other_results(const Scenario& scenario, const fs::path& out) {
  const fs::path target = canonical_path(out);
  if (is_result_folder(target)) refuse_other_work(target, text_of_run(scenario, target), Plan::facts_of_run, true);
}

}  // namespace lagnet
