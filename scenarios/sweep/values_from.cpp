#include "scenarios/sweep/values_from.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "scenarios/format/retimable.hpp"

namespace lagnet {

namespace {

/// The first value in which two scenarios differ, "/seed is 2, and 1 there".
std::string first_difference(const Json& scenario, const Json& recorded) {
  const Json patch = Json::diff(recorded, scenario);
  if (patch.empty()) return "";
  const std::string pointer = patch.front().at("path").get<std::string>();
  const auto value = [&](const Json& document) {
    const Json::json_pointer at(pointer);
    return document.contains(at) ? shown(document.at(at)) : std::string("not there");
  };
  return fmt::format("{} is {}, and {} in the recorded run", pointer, value(scenario), value(recorded));
}

}  // namespace

std::vector<ValuesFrom> values_from_points(const std::vector<Scenario>& scenarios) {
  std::vector<ValuesFrom> all(scenarios.size());
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    if (!why_not_retimable(scenarios[i]).empty()) continue;
    const auto [known, is_new] = first.try_emplace(what_decides_values(scenarios[i]).dump(), i);
    if (!is_new) all[i].point = known->second;
  }
  return all;
}

std::vector<ValuesFrom> values_from_runs(const std::vector<Scenario>& scenarios, const std::vector<std::string>& names,
                                         const std::vector<RecordedRun>& runs, const std::string& shown) {
  std::map<std::string, std::filesystem::path> first;
  std::vector<Json> recorded;
  std::vector<std::string> why_none;  // of the runs serves, if none does
  for (const RecordedRun& run : runs) {
    const Scenario scenario = read_scenario(scenario_file(run));
    if (auto reasons = why_not_retimable(scenario); !reasons.empty()) {
      if (why_none.empty()) why_none = std::move(reasons);
      continue;
    }
    recorded.push_back(what_decides_values(scenario));
    first.try_emplace(recorded.back().dump(), run.folder);
  }
  Diagnostics problems(shown);
  std::vector<ValuesFrom> all(scenarios.size());
  const std::string expected = "a run whose values do not depend on time, in other times alone";
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    const std::string of_point = scenarios.size() > 1 ? names[i] + ": " : "";
    std::vector<std::string> reasons = why_not_retimable(scenarios[i]);
    if (reasons.empty()) {
      const Json decides = what_decides_values(scenarios[i]);
      const auto known = first.find(decides.dump());
      if (known != first.end())
        all[i].folder = known->second;
      else if (recorded.empty())
        reasons = why_none;
      else
        reasons = {first_difference(decides, recorded.front())};
    }
    for (const std::string& reason : reasons) problems.add("", expected, of_point + reason);
  }
  problems.throw_if_any();
  return all;
}

}  // namespace lagnet
