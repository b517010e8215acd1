#include "scenarios/compare/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "scenarios/compare/golden_terms.hpp"
#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/sweep/execute.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

void leave_out_column(Json& kept, std::string_view name) {
  const auto place = std::ranges::find(kept["columns"], name) - kept["columns"].begin();
  kept["columns"].erase(kept["columns"].begin() + place);
  for (Json& row : kept["rows"]) row.erase(row.begin() + place);
}

/// The recorded part of a run: its rows, and its summary without entries that do not concern results or are only
/// rounding.
Json essence(const Experiment& experiment, const Outcome& outcome) {
  Json kept = summary(experiment, outcome);
  kept.erase("lagnet_version");
  kept.erase("last_row");
  kept.erase("bound");  // follows from the constants and the rows
  kept["warnings"] = texts_of(warnings_in(kept));
  kept["data"].erase("origin");
  kept["optimum"].erase("certificate_relative");
  kept["columns"] = progress_columns(experiment);
  kept["rows"] = Json::array();
  for (const Row& row : outcome.rows) kept["rows"].push_back(progress_numbers(row));
  if (experiment.costs.sites().empty())
    for (const char* cost : {"price", "joules", "grams"}) leave_out_column(kept, cost);
  return kept;
}

/// Where differences go, each with what all of a run have in common.
struct Differences {
  std::vector<Difference>& list;
  const GoldenTerms& terms;
  std::string comparison = {}, point = {};

  void add(Difference found) {
    found.comparison = comparison;
    found.point = point;
    list.push_back(std::move(found));
  }
};

/// Whether a run has rows with a cell for each of its columns.
bool has_rows(const Json& run) {
  if (!run.is_object() || !run.contains("columns") || !run.contains("rows")) return false;
  const Json &columns = run["columns"], &rows = run["rows"];
  const auto is_text = [](const Json& name) { return name.is_string(); };
  const auto is_row = [&](const Json& row) { return row.is_array() && row.size() == columns.size(); };
  return columns.is_array() && rows.is_array() && std::ranges::all_of(columns, is_text) &&
         std::ranges::all_of(rows, is_row);
}

/// A difference for each column that has some: how many rows, and the first of them.
void compare_column(const std::string& name, std::size_t place, const Json& want, const Json& got, Differences& found) {
  const auto at = static_cast<std::size_t>(std::ranges::find(got["columns"], Json(name)) - got["columns"].begin());
  if (at == got["columns"].size()) return found.add({.code = "gone", .where = name});
  const std::size_t rows = std::min(want["rows"].size(), got["rows"].size());
  std::size_t count = 0, first = 0;
  for (std::size_t row = rows; row-- > 0;)
    if (!found.terms.is_same(name, want["rows"][row][place], got["rows"][row][at])) {
      ++count;
      first = row;
    }
  if (count == 0) return;
  found.add({.code = "column",
             .where = name,
             .rows = rows,
             .differing = count,
             .row = first + 1,
             .round = got["rows"][first][0].get<Round>(),
             .expected = shown(want["rows"][first][place]),
             .found = shown(got["rows"][first][at])});
}

/// By the columns that the golden lists, wherever they are in the run: a column that it does not list is new.
void compare_rows(const Json& want, const Json& got, Differences& found) {
  const std::size_t wanted = want["rows"].size(), there = got["rows"].size();
  if (wanted != there)
    found.add({.code = "row_count", .expected = std::to_string(wanted), .found = std::to_string(there)});
  for (std::size_t k = 0; k < want["columns"].size(); ++k)
    compare_column(want["columns"][k].get<std::string>(), k, want, got, found);
}

/// Adds each difference with its JSON pointer in the run, those of rows by their columns.
void compare(const Json& want, const Json& got, const std::string& pointer, Differences& found) {
  if (want.is_object() && got.is_object()) {
    const bool by_columns = pointer.empty() && has_rows(want) && has_rows(got);
    for (const auto& [key, value] : want.items()) {
      if (by_columns && key == "rows") compare_rows(want, got, found);
      if (by_columns && (key == "rows" || key == "columns")) continue;
      if (got.contains(key))
        compare(value, got[key], child_pointer(pointer, key), found);
      else
        found.add({.code = "gone", .where = child_pointer(pointer, key)});
    }
    for (const auto& [key, value] : got.items())
      if (!want.contains(key)) found.add({.code = "new", .where = child_pointer(pointer, key)});
    return;
  }
  if (want.is_array() && got.is_array() && want.size() == got.size()) {
    for (std::size_t i = 0; i < want.size(); ++i)
      compare(want[i], got[i], child_pointer(pointer, std::to_string(i)), found);
    return;
  }
  if (!found.terms.is_same(pointer, want, got))
    found.add({.code = "value", .where = pointer, .expected = shown(want), .found = shown(got)});
}

/// The runs of a golden and those of now; those of a sweep are called as its points.
void compare_runs(const Json& want, const Json& got, Differences found) {
  if (!want.is_array()) return found.add({.code = "no_runs"});
  if (want.size() != got.size())
    return found.add(
        {.code = "run_count", .expected = std::to_string(want.size()), .found = std::to_string(got.size())});
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (want.size() > 1) found.point = folder_of_point(i, want.size());
    compare(want[i], got[i], "", found);
  }
}

/// The kind of a file that is not a golden.
std::string kind_of(const std::string& text, const Json& json) {
  if (json.is_discarded()) {
    Diagnostics diagnostics("");
    try {
      parse_scenario(text, diagnostics);
    } catch (const Diagnosed&) {  // the first problem says enough
    }
    const auto& problems = diagnostics.list();
    if (problems.empty()) return "JSON with comments";
    const Diagnostic& one = problems.front();
    return one.where.empty() ? one.found : "no JSON: " + sentence(one);
  }
  if (!json.is_object()) return json.is_array() ? "a list" : shown(json);
  if (json.contains("lagnet")) return "a scenario";
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  return fmt::format("an object without the key runs{}{}", keys.empty() ? "" : ", with ", comma_list(keys));
}

/// The essence of every run of a scenario, sweeps included.
Json run_essence(const fs::path& scenario, const RunOptions& options) {
  Plan plan(read_scenario_file(scenario));
  Json runs = Json::array();
  for (std::size_t point = 0; point < plan.scenarios.size(); ++point) {
    const Experiment experiment = plan.take(point);
    runs.push_back(essence(experiment, run(experiment, options)));
  }
  return runs;
}

/// Goldens by their files' names.
using MadeGoldens = std::vector<std::pair<fs::path, std::string>>;

/// Compares, or adds to those that are `made`.
GoldenVerdict check_golden(const fs::path& scenario, const GoldenOptions& options, MadeGoldens* made) {
  GoldenVerdict verdict{scenario.stem().string(), {}};
  const fs::path golden_name = scenario.parent_path() / (scenario.stem().string() + ".golden.json");
  std::ifstream file = open_regular_file(golden_name);
  const std::string text = file ? std::string(std::istreambuf_iterator<char>(file), {}) : "";
  const Json golden = file ? try_json(text) : Json(nullptr);
  // Before the first update there may be terms alone.
  const bool has_terms = golden.contains("relative_tolerance") || golden.contains("absolute_tolerance") ||
                         golden.contains("tolerances") || golden.contains("columns");
  const bool is_golden = golden.is_object() && (golden.contains("runs") || (made && has_terms));
  if (file && !is_golden)
    throw OutputError(fmt::format("{}: expected a golden as `lagnet check {} --update` writes it, found {}",
                                  golden_name.string(), scenario.parent_path().string(), kind_of(text, golden)));
  const GoldenTerms exactly, terms(golden.is_object() ? golden : Json::object(), golden_name.string());
  const Json whole = run_essence(scenario, {.threads = 1, .row = options.row});
  const Json again = run_essence(scenario, {.threads = options.threads, .row = options.row});
  compare_runs(whole, again, {verdict.differences, exactly, options.threads == 2 ? "two threads" : "again"});
  terms.check_names(whole);
  Json one = Json::array();
  for (const Json& run : whole) one.push_back(terms.chosen(run));
  if (made) {
    Json written = terms.as_json();
    written["runs"] = std::move(one);
    made->emplace_back(golden_name, written.dump(1) + "\n");
  } else if (golden.is_null()) {
    verdict.differences.push_back({.code = "no_golden", .file = golden_name.string()});
  } else {
    compare_runs(golden.value("runs", Json()), one, {verdict.differences, terms});
  }
  return verdict;
}

}  // namespace

bool is_renewed_by_update(const GoldenVerdict& verdict) {
  return std::ranges::any_of(verdict.differences, [](const Difference& one) {
    return one.comparison.empty() && one.code != "no_golden" && one.code != "no_scenario";
  });
}

Json as_json(const GoldenVerdict& verdict) {
  Json texts = Json::array(), parts = Json::array();
  for (const Difference& one : verdict.differences) {
    texts.push_back(sentence(one));
    parts.push_back(parts_of(one));
  }
  return {{"name", verdict.name},
          {"same", verdict.differences.empty()},
          {"differences", std::move(texts)},
          {"parts", std::move(parts)}};
}

std::vector<GoldenVerdict> check_goldens(const fs::path& folder, const GoldenOptions& options) {
  if (!fs::is_directory(folder))
    throw OutputError(fmt::format("{}: expected a folder of golden scenarios, found none", folder.string()));
  std::vector<fs::path> scenarios, gone;  // of goldens that are left: renamed, or deleted
  for (const auto& entry : fs::directory_iterator(folder)) {
    constexpr std::string_view golden = ".golden.json";
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(golden)) scenarios.push_back(entry.path());
    if (name.ends_with(golden))
      if (const fs::path own = folder / (name.substr(0, name.size() - golden.size()) + ".json"); !fs::exists(own))
        gone.push_back(own);
  }
  if (scenarios.empty())
    throw OutputError(fmt::format("{}: expected golden scenarios (NAME.json), found none", folder.string()));
  std::ranges::sort(scenarios);
  std::ranges::sort(gone);
  std::vector<GoldenVerdict> verdicts;
  MadeGoldens made;  // written when all of them are, since one scenario that is wrong leaves every golden as it was
  for (const fs::path& scenario : scenarios)
    verdicts.push_back(check_golden(scenario, options, options.update ? &made : nullptr));
  for (const auto& [name, text] : made) replace_file(name, text);
  for (const fs::path& scenario : gone)
    verdicts.push_back({scenario.stem().string(), {{.code = "no_scenario", .file = scenario.string()}}});
  return verdicts;
}

}  // namespace lagnet
