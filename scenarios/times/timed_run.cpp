#include "scenarios/times/timed_run.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "scenarios/assembly/assemble.hpp"
#include "scenarios/format/retimable.hpp"
#include "scenarios/times/step_recorder.hpp"

namespace lagnet {

std::vector<std::string> why_not_in_recursion(const SetFeatures& features) {
  std::vector<std::string> reasons;
  for (const SetFeature& one : features.list) {
    if (one.effects().are_in_recursion() || !one.effects().keep_values())
      continue;  // values that depend on time are a reason already
    const std::string_view why = one.effects().draws_per_message ? "it is drawn for every message" : one.declared.why;
    reasons.push_back(fmt::format("{}: {}", one.key, why));
  }
  return reasons;
}

namespace {

/// Enough for three rounds that may be unlike the others, four that are alike, and the last.
constexpr Round rounds_heard = 8;

/// The rounds that are heard, without what needs numbers; without numbers at all if the algorithm runs so.
ScenarioFile without_numbers(ScenarioFile file, bool timing_only) {
  if (timing_only) file.document["numerics"] = "off";
  file.document["stop"] = {{"rounds", rounds_heard}};
  file.document["record"] = {{"every", rounds_heard}};
  for (const char* key : {"sweep", "tune", "expect", "figure", "maps"}) file.document.erase(key);
  return file;
}

/// What keeps the times of the scenario's runs from following from the steps of a round: all that keeps values from
/// being independent of time, and what is drawn for each message or round.
std::vector<std::string> why_not_timed_by_steps(const Scenario& scenario) {
  std::vector<std::string> reasons = why_not_retimable(scenario);
  if (scenario.algorithm.make().traits.draws_work)
    reasons.emplace_back("algorithm.kind: what agents do is drawn for every round");
  for (std::string& reason : why_not_in_recursion(set_features(scenario))) reasons.push_back(std::move(reason));
  return reasons;
}

}  // namespace

TimedRunOrReasons timed_run(const ScenarioFile& file, ExperimentCache& cache) {
  const Scenario scenario = read_scenario(file);
  TimedRunOrReasons found{.run = {}, .reasons = why_not_timed_by_steps(scenario)};
  if (!found.reasons.empty()) return found;
  const ScenarioFile bare = without_numbers(file, scenario.algorithm.make().traits.timing_only);
  TimedRun run{.experiment = std::make_shared<const Experiment>(assemble(read_scenario(bare), bare.shown, cache)),
               .graph = {},
               .rounds = scenario.stop.rounds.value_or(no_end)};
  const auto world = run.experiment->simulation(1);
  StepRecorder steps(world->network(), run.experiment->model.rotates_broadcasts());
  world->listen(steps);
  world->run();
  if (auto graph = steps.graph(rounds_heard)) {
    run.graph = std::move(*graph);
    found.run = std::move(run);
  } else {
    found.reasons.emplace_back("rounds are not alike: agents do something else in each of them");
  }
  return found;
}

TimedRunOrReasons timed_run(const RecordedRun& recorded, ExperimentCache& cache, std::int64_t most_steps) {
  TimedRunOrReasons found =
      timed_run({.shown = recorded.label, .folder = {}, .document = rooted_scenario(recorded)}, cache);
  if (!found.run) return found;
  const auto refuse = [&found](std::string reason) {
    found.run.reset();
    found.reasons.push_back(std::move(reason));
  };
  const std::vector<double>& rounds = recorded_column(recorded, "round");
  const std::vector<double>& seconds = recorded_column(recorded, "simulated_s");
  const double steps = static_cast<double>(steps_in_round(found.run->graph, *found.run->experiment->network)) *
                       (rounds.empty() ? 0 : rounds.back());
  if (rounds.empty()) {
    refuse("it has no rows");
  } else if (steps > static_cast<double>(most_steps)) {
    refuse(fmt::format("its rounds have {:.3g} steps, more than {:.3g}", steps, static_cast<double>(most_steps)));
  } else {
    const auto times =
        round_times(found.run->graph, found.run->world(), static_cast<Round>(rounds.back()), found.run->rounds);
    bool is_same = !times.empty();
    for (std::size_t row = 0; is_same && row < rounds.size(); ++row)
      is_same = times[static_cast<std::size_t>(rounds[row])].in_seconds() == seconds[row];
    if (!is_same) refuse("the times of its rows do not follow from what agents do in one round");
  }
  return found;
}

}  // namespace lagnet
