#include "scenarios/compare/tables/series.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scenarios/files/result_folder.hpp"
#include "scenarios/format/scenario.hpp"

namespace lagnet {

namespace {

/// What a run minimizes, and over which data. Equal for runs whose objectives can be compared; those of another seed
/// may have drawn other data.
Json problem_of(const Json& rooted) {
  return {{"data", rooted.value("data", Json())}, {"problem", rooted.value("problem", Json())}};
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
  const Json problem = problem_of(rooted_scenario(runs.front()));
  for (const RecordedRun& run : runs) {
    const Json rooted = rooted_scenario(run);
    const std::string difference = problem_difference(problem, problem_of(rooted), run.folder.string());
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
