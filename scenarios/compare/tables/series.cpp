#include "scenarios/compare/tables/series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/named_files.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

namespace {

/// What a run minimizes, and over which data. Equal for runs whose objectives can be compared; those of another seed
/// may have drawn other data. Files are left out where they are compared `by_content`.
Json problem_of(const RecordedRun& run, bool by_content) {
  Json rooted = rooted_scenario(run);
  if (by_content)
    for (const Json& input : inputs_in(run.summary)) rooted[Json::json_pointer(input.value("pointer", ""))] = "a file";
  return {{"data", rooted.value("data", Json())}, {"problem", rooted.value("problem", Json())}};
}

/// The first file with data that two runs have read with different contents; "" if there is none.
std::string data_difference(const RecordedRun& a, const RecordedRun& b) {
  const auto data_of = [](const RecordedRun& run) {
    Json data = Json::array();
    for (const Json& input : inputs_in(run.summary))
      if (input.value("pointer", "").starts_with("/data/")) data.push_back(input);
    return data;
  };
  const std::string difference = input_difference(data_of(a), data_of(b));
  return difference.empty() ? "" : fmt::format("{} in {}", difference, b.folder.string());
}

/// The first difference of two problems, "/data/features is 7, and 9 in runs/b"; "" if they are the same.
std::string problem_difference(const Json& a, const Json& b, const std::string& in_b) {
  const Json flat_a = a.flatten(), flat_b = b.flatten();
  for (const auto& [pointer, value] : flat_a.items())
    if (const auto other = flat_b.find(pointer); other == flat_b.end())
      return fmt::format("{} is {}, and missing in {}", pointer, shown(value), in_b);
    else if (*other != value)
      return fmt::format("{} is {}, and {} in {}", pointer, shown(value), shown(*other), in_b);
  for (const auto& [pointer, value] : flat_b.items())
    if (!flat_a.contains(pointer)) return fmt::format("{} is missing, and {} in {}", pointer, shown(value), in_b);
  return "";
}

}  // namespace

const RecordedRun* Series::find(std::uint64_t seed) const {
  const auto has_seed = [seed](const RecordedRun* run) { return run->seed() == seed; };
  const auto at = std::ranges::find_if(runs, has_seed);
  return at == runs.end() ? nullptr : *at;
}

std::vector<Series> make_series(const std::vector<RecordedRun>& runs) {
  std::vector<Series> series;
  std::vector<Json> scenarios;
  const auto has_inputs = [](const RecordedRun& run) { return !inputs_in(run.summary).empty(); };
  const bool by_content = std::ranges::all_of(runs, has_inputs);  // not of runs under way
  const Json problem = problem_of(runs.front(), by_content);
  for (const RecordedRun& run : runs) {
    std::string difference = problem_difference(problem, problem_of(run, by_content), run.folder.string());
    if (difference.empty() && by_content) difference = data_difference(runs.front(), run);
    if (!difference.empty())
      throw OutputError(fmt::format("{}: expected runs over the same data and problem, found others: {}",
                                    runs.front().folder.string(), difference));
    const Json scenario = circumstances_of(run);
    const auto at = static_cast<std::size_t>(std::ranges::find(scenarios, scenario) - scenarios.begin());
    if (at == scenarios.size()) {
      scenarios.push_back(scenario);
      series.emplace_back();
    }
    if (const RecordedRun* same = series[at].find(run.seed()))
      throw OutputError(fmt::format("{}: expected runs that differ, found the scenario and seed of {}",
                                    run.folder.string(), same->folder.string()));
    series[at].runs.push_back(&run);
  }
  for (Series& one : series) {
    one.name = one.runs.front()->series;
    std::ranges::sort(one.runs, {}, [](const RecordedRun* run) { return run->seed(); });
  }
  return series;
}

}  // namespace lagnet
