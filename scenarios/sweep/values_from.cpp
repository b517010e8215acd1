#include "scenarios/sweep/values_from.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "scenarios/format/retimable.hpp"
#include "scenarios/json/document.hpp"

namespace lagnet {

namespace {

/// The trace hash of the run that computed the values: this one, or the one whose values it has itself.
std::string hash_of_values(const RecordedRun& run) {
  const Document summary(run.summary);
  return summary.text("/retimed/trace_hash", summary.text("/trace_hash"));
}

/// Recorded runs whose values do not depend on time.
struct Sources {
  struct Source {
    const RecordedRun* run;
    Json circumstances, decides;  // what_decides_values()
  };
  std::vector<Source> all;
  std::vector<std::string> why_not_first = {};  // why the first run does not serve

  /// Null if none has the same values.
  const RecordedRun* best(const Scenario& scenario, const Json& decides) const {
    const Json same = circumstances(write_fields(scenario));
    const RecordedRun* found = nullptr;
    for (const Source& source : all) {
      if (source.decides != decides) continue;
      if (source.circumstances == same) return source.run;
      if (!found || last_round(*source.run) > last_round(*found)) found = source.run;
    }
    return found;
  }
  /// Why none has: what the nearest one differs in.
  std::vector<std::string> why_none(const Json& decides) const {
    if (all.empty()) return why_not_first;
    const auto distance = [&](const Source& source) { return Json::diff(source.decides, decides).size(); };
    return {first_difference(decides, std::ranges::min_element(all, {}, distance)->decides, "in the recorded run")};
  }

 private:
  static double last_round(const RecordedRun& run) {
    const auto* rounds = run.progress.find("round");
    return rounds && !rounds->empty() ? rounds->back() : -1;
  }
};

Sources sources_of(const std::vector<RecordedRun>& runs) {
  Sources sources;
  for (const RecordedRun& run : runs) {
    const Scenario scenario = read_scenario(scenario_file(run));
    std::vector<std::string> reasons = why_not_retimable(scenario);
    if (const std::string status = Document(run.summary).text("/status"); reasons.empty() && status != "done")
      reasons = {fmt::format("{}: the recorded run has failed: {}", run.folder.filename().string(), status)};
    if (reasons.empty())
      sources.all.push_back({&run, circumstances(write_fields(scenario)), what_decides_values(scenario)});
    else if (sources.why_not_first.empty())
      sources.why_not_first = std::move(reasons);
  }
  return sources;
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
  const Sources sources = sources_of(runs);
  Diagnostics problems(shown);
  const std::string expected = "a recorded run that differs in network and compute alone";
  std::vector<ValuesFrom> all(scenarios.size());
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    std::vector<std::string> reasons = why_not_retimable(scenarios[i]);
    const Json decides = what_decides_values(scenarios[i]);
    if (const RecordedRun* run = sources.best(scenarios[i], decides))
      all[i] = {.point = {}, .folder = run->folder, .trace_hash = hash_of_values(*run)};
    else
      for (std::string& other : sources.why_none(decides))
        if (std::ranges::find(reasons, other) == reasons.end()) reasons.push_back(std::move(other));
    const std::string of_point = scenarios.size() > 1 ? names[i] + ": " : "";
    for (const std::string& reason : reasons) problems.add("", expected, of_point + reason);
  }
  problems.throw_if_any();
  return all;
}

}  // namespace lagnet
