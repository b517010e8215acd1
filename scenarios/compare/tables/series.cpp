#include "scenarios/compare/tables/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/algorithm/string.hpp>
#include <set>

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

/// Pointers at which not all scenarios have the same, those to kinds first: they say most.
std::vector<std::string> pointers_that_differ(const std::vector<Json>& flat) {
  std::set<std::string> seen;
  std::vector<std::string> pointers;
  for (const Json& scenario : flat)
    for (const auto& [pointer, value] : scenario.items()) {
      if (!seen.insert(pointer).second) continue;
      const auto same = [&, &at = pointer, &wanted = value](const Json& other) {
        const auto found = other.find(at);
        return found != other.end() && *found == wanted;
      };
      if (!std::ranges::all_of(flat, same)) pointers.push_back(pointer);
    }
  const auto rank = [](const std::string& pointer) {
    return pointer == "/algorithm/kind" ? 0 : pointer.ends_with("/kind") ? 1 : 2;
  };
  std::ranges::stable_sort(pointers, {}, rank);
  return pointers;
}

/// "ring" for a kind, "agents=16" for anything else; "latency_ms=5" for the value of a distribution.
std::string named_value(std::string pointer, const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : shown(value);
  if (pointer.ends_with("/kind")) return text;
  if (pointer.ends_with("/value")) pointer.resize(pointer.rfind('/'));
  return pointer.substr(pointer.rfind('/') + 1) + "=" + text;
}

/// The least that tells scenarios apart: differing members are taken as long as some have the same name.
std::vector<std::string> distinct_names(const std::vector<Json>& scenarios) {
  std::vector<Json> flat;
  for (const Json& scenario : scenarios) flat.push_back(scenario.flatten());
  if (flat.size() == 1) return {flat[0].value("/algorithm/kind", "runs")};
  std::vector<std::string> keys(flat.size());
  std::vector<std::vector<std::string>> parts(flat.size());
  for (const std::string& pointer : pointers_that_differ(flat)) {
    std::set<std::string> before(keys.begin(), keys.end());
    std::vector<std::string> longer = keys;
    for (std::size_t i = 0; i < flat.size(); ++i) longer[i] += flat[i].value(pointer, Json()).dump() + "\n";
    if (std::set<std::string>(longer.begin(), longer.end()).size() == before.size()) continue;
    keys = longer;
    for (std::size_t i = 0; i < flat.size(); ++i)
      if (const auto value = flat[i].find(pointer); value != flat[i].end())
        parts[i].push_back(named_value(pointer, *value));
  }
  std::vector<std::string> names;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    names.push_back(boost::join(parts[i], " "));
    // Members of other names may have the same text.
    if (names[i].empty())
      names[i] = fmt::format("({})", i + 1);
    else if (std::ranges::count(names, names[i]) > 1)
      names[i] += fmt::format(" ({})", i + 1);
  }
  return names;
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
    const Json scenario = circumstances(rooted);
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
  const std::vector<std::string> names = distinct_names(scenarios);
  for (std::size_t i = 0; i < series.size(); ++i) {
    series[i].name = names[i];
    std::ranges::sort(series[i].runs, {}, [](const RecordedRun* run) { return run->seed(); });
  }
  return series;
}

}  // namespace lagnet
