#include "scenarios/assembly/memory_estimate.hpp"

#include <algorithm>

#include "sim/engine/world_memory.hpp"

namespace lagnet {

namespace {

/// An algorithm that does not say is taken to hold ten vectors an agent: samples long where features are divided, which
/// all must know the scores of; features long where samples are, and then with a copy of the data besides.
Bytes usual_memory_of_algorithm(const Experiment& experiment) {
  constexpr Bytes vectors = 10, number = sizeof(double);
  const DataMatrix& X = experiment.data->X;
  const Bytes agents = experiment.facts.agents;
  if (experiment.traits.partition_by == PartitionBy::features) return vectors * number * (agents * X.rows() + X.cols());
  return vectors * number * agents * X.cols() + X.bytes();
}

/// A limit of rounds that is out of reach says nothing about the rows: another condition is meant to end the run.
Bytes memory_of_rows(const Scenario& scenario) {
  constexpr Bytes row = 768;  // as numbers and as text
  constexpr std::int64_t most = 100'000;
  if (!scenario.stop.rounds) return 0;
  return row * std::min(*scenario.stop.rounds / scenario.record.every + 1, most);
}

}  // namespace

MemoryEstimate estimate_memory(const Experiment& experiment) {
  const bool in_order = experiment.problem.X.get() == &experiment.data->X;
  const auto of_algorithm = experiment.algorithm->memory();
  return {.data = experiment.data->bytes(),
          .own = (in_order ? 0 : experiment.problem.X->bytes()) +
                 (of_algorithm ? *of_algorithm : usual_memory_of_algorithm(experiment)) +
                 world_memory(experiment.network->agents(), experiment.network->links(),
                              experiment.model.sharing != Sharing::none) +
                 memory_of_rows(experiment.scenario)};
}

}  // namespace lagnet
