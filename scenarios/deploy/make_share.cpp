#include "scenarios/deploy/make_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "algorithms/objectives/sets/sets.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

void check_divisible(const Experiment& experiment) {
  const auto refuse = [](const std::string& why) { throw RunError("the data cannot be divided: " + why); };
  const Scenario& scenario = experiment.scenario;
  if (experiment.traits.partition_by == PartitionBy::cells)
    refuse(fmt::format("agents of {} hold cells of them", scenario.algorithm.kind()));
  const auto* ball = scenario.problem.constraint.options_as<L1BallOptions>();
  if (ball && ball->radius_of_fit)
    refuse("problem.constraint.radius_of_fit refers to a fit to all data; set the radius instead");
  if (experiment.data->loss) refuse("their loss, of variables with limits, refers to all of them");
  if (scenario.algorithm.kind() == python_kind) refuse("a method in Python may use all data");
}

/// The rows, or columns, of these agents.
std::vector<Index> places_of(const std::vector<AgentId>& agents, const std::vector<Index>& starts) {
  std::vector<Index> places;
  for (const AgentId agent : agents)
    for (Index i = starts[agent]; i < starts[agent + 1]; ++i) places.push_back(i);
  std::ranges::sort(places);
  return places;
}

}  // namespace

DataShare share_of(const Experiment& experiment, const std::vector<AgentId>& agents) {
  check_divisible(experiment);
  const Problem& problem = experiment.problem;
  DataShare share{
      .agents = agents, .rows = problem.X->rows(), .columns = problem.X->cols(), .samples = problem.samples};
  share.of_samples = experiment.traits.partition_by == PartitionBy::samples;
  share.starts = experiment.partition.starts;
  share.held = places_of(agents, starts_by_agent(experiment.partition, experiment.traits));
  share.numbers = share.of_samples ? problem.X->rows(share.held) : problem.X->columns(share.held);
  share.y = share.of_samples ? Vector(problem.y(share.held)) : problem.y;
  share.other_label = problem.y.minCoeff();
  share.largest_label = problem.y.maxCoeff();
  share.shape = experiment.data->shape;
  share.norm = experiment.central->told_norm();
  share.optimum = experiment.central->told_optimum();
  share.spectra = *experiment.spectra;
  return share;
}

}  // namespace lagnet
