#include "scenarios/compare/golden.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/json/json_file.hpp"
#include "scenarios/results/progress_csv.hpp"
#include "scenarios/results/run_summary.hpp"
#include "scenarios/sweep/execute.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

namespace {

namespace fs = std::filesystem;

// Reals may differ between compilers and machines by rounding, which a few hundred rounds of a stable method do not
// amplify beyond this.
constexpr double usual_tolerance = 1e-9;

/// What a golden keeps of a run: its summary without what says nothing about the results or is rounding alone, and its
/// rows.
Json essence(const Experiment& experiment, const Outcome& outcome) {
  Json kept = summary(experiment, outcome);
  kept.erase("lagnet_version");
  kept.erase("last_row");
  kept["data"].erase("origin");
  kept["optimum"].erase("certificate_relative");
  kept["columns"] = progress_columns(experiment);
  kept["rows"] = Json::array();
  for (const Row& row : outcome.rows) kept["rows"].push_back(progress_numbers(row));
  return kept;
}

bool same_number(double want, double got, double tolerance) {
  return std::abs(want - got) <= tolerance * std::max(std::abs(want), std::abs(got));
}

/// Adds each difference with its JSON pointer.
void compare(const Json& want, const Json& got, const std::string& pointer, double tolerance,
             std::vector<std::string>& differences) {
  if (want.is_object() && got.is_object()) {
    for (const auto& [key, value] : want.items()) {
      if (got.contains(key))
        compare(value, got[key], child_pointer(pointer, key), tolerance, differences);
      else
        differences.push_back(fmt::format("{}: gone", child_pointer(pointer, key)));
    }
    for (const auto& [key, value] : got.items())
      if (!want.contains(key)) differences.push_back(fmt::format("{}: not in the golden", child_pointer(pointer, key)));
    return;
  }
  if (want.is_array() && got.is_array() && want.size() == got.size()) {
    for (std::size_t i = 0; i < want.size(); ++i)
      compare(want[i], got[i], child_pointer(pointer, std::to_string(i)), tolerance, differences);
    return;
  }
  const bool reals = want.is_number() && got.is_number() && (want.is_number_float() || got.is_number_float());
  if (reals ? same_number(want.get<double>(), got.get<double>(), tolerance) : want == got) return;
  differences.push_back(fmt::format("{}: expected {}, found {}", pointer, shown(want), shown(got)));
}

/// The essence of every run of a scenario, sweeps included.
Json run_essence(const fs::path& scenario, unsigned threads) {
  Plan plan(read_scenario_file(scenario));
  Json runs = Json::array();
  for (std::size_t point = 0; point < plan.scenarios.size(); ++point) {
    const Experiment experiment = plan.take(point);
    runs.push_back(essence(experiment, run(experiment, {.threads = threads})));
  }
  return runs;
}

/// Goldens by their files' names.
using MadeGoldens = std::vector<std::pair<fs::path, std::string>>;

/// Compares, or adds to those that are `made`.
GoldenVerdict check_golden(const fs::path& scenario, MadeGoldens* made) {
  GoldenVerdict verdict{scenario.stem().string(), {}};
  const fs::path golden_name = scenario.parent_path() / (scenario.stem().string() + ".golden.json");
  std::ifstream file = open_regular_file(golden_name);
  const Json golden = file ? try_json(std::string(std::istreambuf_iterator<char>(file), {})) : Json(nullptr);
  // Before the first update there may be a tolerance alone.
  const bool has_runs =
      golden.contains("runs") || (made && golden.size() == 1 && golden.contains("relative_tolerance"));
  const bool is_golden =
      golden.is_object() && has_runs && golden.value("relative_tolerance", Json(usual_tolerance)).is_number();
  if (file && !is_golden)
    throw OutputError(fmt::format("{}: expected a golden as `lagnet check {} --update` writes it, found {}",
                                  golden_name.string(), scenario.parent_path().string(),
                                  golden.is_discarded() ? "no JSON" : "other JSON"));
  const double tolerance = golden.is_object() ? golden.value("relative_tolerance", usual_tolerance) : usual_tolerance;
  const Json one = run_essence(scenario, 1), two = run_essence(scenario, 2);
  compare(one, two, "two threads", 0, verdict.differences);
  if (made) {
    made->emplace_back(golden_name, Json{{"relative_tolerance", tolerance}, {"runs", one}}.dump(1) + "\n");
  } else if (golden.is_null()) {
    verdict.differences.push_back(fmt::format("{} is missing: `lagnet check {} --update` writes it",
                                              golden_name.filename().string(), scenario.parent_path().string()));
  } else {
    compare(golden.value("runs", Json()), one, "", tolerance, verdict.differences);
  }
  return verdict;
}

}  // namespace

std::vector<GoldenVerdict> check_goldens(const fs::path& folder, bool update) {
  std::vector<fs::path> scenarios;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (name.ends_with(".json") && !name.ends_with(".golden.json")) scenarios.push_back(entry.path());
  }
  std::ranges::sort(scenarios);
  std::vector<GoldenVerdict> verdicts;
  MadeGoldens made;  // written when all of them are, since one scenario that is wrong leaves every golden as it was
  for (const fs::path& scenario : scenarios) verdicts.push_back(check_golden(scenario, update ? &made : nullptr));
  for (const auto& [name, text] : made) replace_file(name, text);
  return verdicts;
}

}  // namespace lagnet
