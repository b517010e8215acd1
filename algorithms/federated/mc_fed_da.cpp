#include "algorithms/federated/mc_fed_da.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace lagnet {

namespace {

std::vector<std::string> warnings_of(const McFedDaOptions& options, const ScaledNorm& norm) {
  std::vector<std::string> all;
  const auto& stages = options.stages;
  for (std::size_t i = 1; i < stages.size(); ++i)
    if (stages[i].lambda > stages[i - 1].lambda)
      all.push_back(
          fmt::format("the weight of stage {}, {}, is above that of the stage before, {}: the method is meant "
                      "for falling ones",
                      i, stages[i].lambda, stages[i - 1].lambda));
  const double last = stages.back().lambda;
  if (std::abs(last - norm.weight()) > 1e-12 * last)
    all.push_back(fmt::format("the last stage's weight, {}, is not the problem's, {}: the objective is with the latter",
                              last, norm.weight()));
  return all;
}

CFedDa::Setup setup_of_stages(const McFedDaOptions& options, const Problem& problem) {
  if (options.stages.empty()) throw OptionError("stages", "at least one stage", "none");
  const ScaledNorm* const norm = problem.regularizer->as_norm();
  if (!norm)
    throw OptionError("stages", "a regularizer that is a multiple of a norm, whose weight the stages set",
                      "one that is not");
  CFedDa::Setup setup{.kind = McFedDaOptions::kind,
                      .options = options,
                      .stages = {},
                      .stage_output = options.stage_output,
                      .warnings = warnings_of(options, *norm)};
  for (const McFedDaStageOptions& stage : options.stages)
    setup.stages.push_back({.r = norm->with_weight(stage.lambda),
                            .epsilon = stage.epsilon.value_or(no_ball),
                            .rounds = stage.rounds,
                            .E = stage.local_steps});
  return setup;
}

}  // namespace

AlgorithmTraits McFedDaOptions::traits() const {
  const bool no_epsilon = std::ranges::none_of(stages, [](const auto& stage) { return stage.epsilon.has_value(); });
  return {.server = true, .partition_by = PartitionBy::samples, .timing_only = no_epsilon};
}

McFedDa::McFedDa(const McFedDaOptions& options, MethodInput assignment)
    : CFedDa{setup_of_stages(options, assignment.problem), std::move(assignment)} {}

}  // namespace lagnet
