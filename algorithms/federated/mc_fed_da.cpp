#include "algorithms/federated/mc_fed_da.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

namespace {

std::vector<FedDaStage> stages_of(const McFedDaOptions& options, const Problem& problem) {
  if (options.stages.empty()) throw Diagnosed("stages", "at least one stage", "none");
  const ScaledNorm* const norm = problem.regularizer->as_norm();
  if (!norm)
    throw Diagnosed("stages", "a regularizer that is a multiple of a norm, whose weight the stages set",
                    "one that is not");
  std::vector<FedDaStage> stages;
  for (const McFedDaStageOptions& stage : options.stages)
    stages.push_back({.r = norm->with_weight(stage.lambda),
                      .epsilon = stage.epsilon.value_or(no_ball),
                      .rounds = stage.rounds,
                      .E = stage.local_steps});
  return stages;
}

}  // namespace

AlgorithmTraits McFedDaOptions::traits() const {
  const bool no_epsilon = std::ranges::none_of(stages, [](const auto& stage) { return stage.epsilon.has_value(); });
  return {.server = true,
          .partition_by = PartitionBy::samples,
          .takes_regularizers = Regularizers::all,
          .timing_only = no_epsilon};
}

McFedDa::McFedDa(const McFedDaOptions& options, MethodInput given)
    : CFedDa{McFedDaOptions::kind, options, stages_of(options, given.problem), options.stage_output, std::move(given)} {
  const auto& stages = options.stages;
  for (std::size_t i = 1; i < stages.size(); ++i)
    if (stages[i].lambda > stages[i - 1].lambda)
      add_warning({"rising_stage_weight",
                   {{"stage", i}, {"weight", stages[i].lambda}, {"before", stages[i - 1].lambda}},
                   fmt::format("the weight of stage {}, {}, is above that of the stage before, {}: the method is meant "
                               "for falling ones",
                               i, stages[i].lambda, stages[i - 1].lambda)});
  const double last = stages.back().lambda, lambda = regularizer().as_norm()->weight();
  if (std::abs(last - lambda) > 1e-12 * last)
    add_warning({"last_stage_weight_differs",
                 {{"last", last}, {"weight", lambda}},
                 fmt::format("the last stage's weight, {}, is not the problem's, {}: the objective is with the latter",
                             last, lambda)});
}

}  // namespace lagnet
