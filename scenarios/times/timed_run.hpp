#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/format/features.hpp"
#include "scenarios/results/recorded_runs.hpp"
#include "scenarios/times/event_graph.hpp"

/// Runs whose times follow from the steps of a round.
namespace lagnet {

/// The times of a run in the network of its experiment, which is without numbers.
struct TimedRun {
  std::shared_ptr<const Experiment> experiment;
  EventGraph graph;
  Round rounds;  // after which it stops, if nothing ends it before

  StepTimes world() const { return {*experiment->network, *experiment->compute, experiment->model}; }
};

/// A run's times, or why they do not follow from the steps of a round: sentences, each with a key where one says so.
struct TimedRunOrReasons {
  std::optional<TimedRun> run;
  std::vector<std::string> reasons;
};

/// Which options keep times from following from the steps of a round, beside those for which values depend on time.
std::vector<std::string> why_not_in_recursion(const SetFeatures& features);

/// Listens to the first eight rounds of the scenario without numbers. Later ones are like them unless the algorithm
/// goes from stage to stage, which is not known here. Throws Diagnosed where it cannot be assembled.
TimedRunOrReasons timed_run(const ScenarioFile& file, ExperimentCache& cache);

/// The same for a run that was recorded, whose rows must have the very times that follow from the steps. A reason, too,
/// are more steps than `most_steps` in all of its rounds.
TimedRunOrReasons timed_run(const RecordedRun& recorded, ExperimentCache& cache, std::int64_t most_steps);

}  // namespace lagnet
