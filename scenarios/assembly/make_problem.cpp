#include "scenarios/assembly/make_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/central/least_squares.hpp"
#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/interface/proximal_map.hpp"
#include "algorithms/objectives/sets/sets.hpp"
#include "algorithms/problem/weighted_loss.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "scenarios/data/label_rules.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/kinds/algorithm_kinds.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// Of what is sought: as the data say, or with a loss of c scores a row of them for each feature, else a vector.
IterateShape shape_of(const DataSet& data, const Loss& loss) {
  if (data.shape.rows > 0) return data.shape;
  if (loss.outputs() > 1) return IterateShape::matrix(data.X.cols(), loss.outputs());
  return IterateShape::vector(data.X.cols());
}

/// The remedy for labels that the loss does not take: another rule for them, or another loss.
std::string labels_remedy(const Experiment& made) {
  const Vector& y = made.problem.y;
  const auto are_taken_by = [&y](const Loss& loss) {
    return std::ranges::all_of(y, [&loss](double label) { return std::isfinite(label) && !loss.label_problem(label); });
  };
  if (!y.allFinite() || are_taken_by(*made.problem.loss)) return "";
  const auto is_taken = [&](double label) { return !made.problem.loss->label_problem(label); };
  if (std::string hint = label_hint(y, is_taken); !hint.empty()) return hint;
  std::vector<std::string> losses;
  for (const auto& entry : LossFamily::catalogue().entries())
    if (entry->kind != python_kind && are_taken_by(*entry->make(entry->defaults().get(), y)))
      losses.emplace_back(entry->kind);
  return losses.empty() ? "" : fmt::format("; losses that take these labels: {}", comma_list(losses));
}

/// The constraint, whose radius may be said of the data.
std::shared_ptr<const Constraint> made_constraint(const Experiment& made) {
  const auto& chosen = made.scenario.problem.constraint;
  const IterateShape shape(made.problem.shape);
  const auto* ball = chosen.options_as<L1BallOptions>();
  if (!ball || !ball->radius_of_fit) return chosen.make(shape);
  if (!made.problem.loss->is_squared())
    throw Diagnosed("radius_of_fit", "the squared loss", std::string(made.problem.loss->kind()));
  if (!made.has_numbers()) return make_constraint(L1BallOptions{.radius = 1}, shape);  // any takes the same time
  const std::optional<Vector> fit = least_squares(made.data->X, made.data->y, 0);
  if (!fit)
    throw Diagnosed("radius_of_fit", "data with a computable least squares fit",
                    fmt::format("{} x {}", made.data->X.rows(), made.data->X.cols()));
  return make_constraint(L1BallOptions{.radius = *ball->radius_of_fit * fit->lpNorm<1>()}, shape);
}

/// The regularizer, the constraint and the weights that the algorithm does not take, with those that do.
void check_composite(const Experiment& made, Diagnostics& diagnostics) {
  const AlgorithmTraits& traits = made.traits;
  const auto refuse = [&](const char* pointer, const std::string& expected, std::string_view found, const auto& takes) {
    diagnostics.add(pointer, expected + who_takes(traits, takes), std::string(found));
  };
  const std::string kind(made.scenario.algorithm.kind());
  const Regularizer& r = *made.problem.regularizer;
  const Regularizers wanted = is_smooth(r) ? Regularizers::smooth : Regularizers::all;
  if (!is_zero(r) && traits.takes_regularizers < wanted)
    refuse("/problem/regularizer/kind",
           traits.takes_regularizers == Regularizers::smooth ? "l2 or none, since " + kind + " has no prox"
                                                             : "none, since " + kind + " takes no regularizer",
           made.scenario.problem.regularizer.kind(),
           [wanted](const AlgorithmTraits& other) { return other.takes_regularizers >= wanted; });
  if (made.problem.constraint && !traits.takes_constraint)
    refuse("/problem/constraint/kind", "none, since " + kind + " does not keep iterates in a set",
           made.scenario.problem.constraint.kind(),
           [](const AlgorithmTraits& other) { return other.takes_constraint; });
  if (made.scenario.problem.agent_weights == AgentWeights::even && !traits.takes_even_weights)
    refuse("/problem/agent_weights", "samples, since " + kind + " weighs agents by them", "even",
           [](const AlgorithmTraits& other) { return other.takes_even_weights; });
}

/// A loss that lacks what the algorithm needs of it, with the algorithms that need less.
void check_loss(const Experiment& made, Diagnostics& diagnostics) {
  const Loss& loss = *made.problem.loss;
  const auto refuse = [&](const char* what, bool AlgorithmTraits::*needs) {
    if (!(made.traits.*needs)) return;
    const auto takes = [needs](const AlgorithmTraits& other) { return !(other.*needs); };
    diagnostics.add("/problem/loss/kind",
                    fmt::format("a loss with a {}, which {} needs{}", what, made.scenario.algorithm.kind(),
                                who_takes(made.traits, takes)),
                    fmt::format("{}, which has none", loss.kind()));
  };
  if (!loss.has_conjugate()) refuse("conjugate", &AlgorithmTraits::needs_conjugate);
  if (!loss.has_curvature()) refuse("curvature", &AlgorithmTraits::needs_curvature);
}

/// Those that are known, and the largest one of all.
Vector labels_of_all(const DataShare& share) {
  Vector labels(share.y.size() + 1);
  labels << share.y, share.largest_label;
  return labels;
}

}  // namespace

void make_problem(Experiment& made, const DataShare* share, Diagnostics& diagnostics) {
  const Topology* const topology = made.topology.get();
  const Scenario& scenario = made.scenario;
  made.problem.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  made.problem.y = made.data->y;
  made.problem.samples = made.data->samples;
  collect_diagnostics(diagnostics, "/problem/loss", [&] {
    const auto& loss = scenario.problem.loss;
    made.problem.loss = share ? loss.make(labels_of_all(*share)) : loss.make(made.data->y);
  });
  if (!made.problem.loss) return;
  if (made.data->coupling && !made.problem.loss->is_squared()) {
    diagnostics.add("/problem/loss/kind", "squared, since coupling constraints say what agents minimize",
                    std::string(scenario.problem.loss.kind()));
    return;
  }
  if (made.data->loss) made.problem.loss = made.data->loss;
  made.problem.shape = shape_of(*made.data, *made.problem.loss);
  collect_diagnostics(diagnostics, "/problem/regularizer",
                      [&] { made.problem.regularizer = scenario.problem.regularizer.make(made.problem.shape); });
  if (!made.problem.regularizer) return;
  collect_diagnostics(diagnostics, "/problem/constraint", [&] { made.problem.constraint = made_constraint(made); });
  check_composite(made, diagnostics);
  check_loss(made, diagnostics);
  for (const Diagnostic& wrong : made.problem.diagnostics())
    diagnostics.add("/data", wrong.expected, wrong.found + (wrong.where == "y" ? labels_remedy(made) : ""),
                    place_of(wrong));
  if (made.data->samples > made.data->X.rows() && !made.problem.loss->is_squared())
    diagnostics.add("/problem/loss", "squared, the only loss that reduced data stand for",
                    std::string(made.problem.loss->kind()));
  const bool fits = check_partition(made.traits, scenario.partition, made.problem, diagnostics);
  if (!topology || !fits || made.traits.agents_with_data(topology->agents()) < 1) return;
  if (share) {
    made.partition.starts = share->starts;
    const auto holders = static_cast<std::size_t>(made.traits.agents_with_data(topology->agents()));
    if (share->starts.size() != holders + 1)
      diagnostics.add("/partition", fmt::format("a share of data that {} agents hold", holders),
                      fmt::format("one of data that {} hold", share->starts.size() - 1));
    return;
  }
  collect_diagnostics(diagnostics, "/partition", [&] {
    made.partition = partition_data(scenario.partition, made.traits, *made.data, topology->agents(), scenario.seed,
                                    made.problem, diagnostics);
  });
}

Vector made_start(const Experiment& made, Diagnostics& diagnostics) {
  const Scenario& scenario = made.scenario;
  if (scenario.problem.start == StartPoint::zero) return {};
  if (!made.traits.server)
    diagnostics.add("/problem/start", fmt::format("zero, where {} starts", scenario.algorithm.kind()), "normal");
  if (!made.has_numbers()) return {};
  Vector start(made.problem.shape.size());
  Draws draws(scenario.seed, Purpose{"problem.start"});
  for (double& entry : start) entry = draws.normal();
  return made.problem.constraint ? made.problem.constraint->project(start) : start;
}

void weigh_agents(Experiment& made) {
  Problem pool = made.problem;
  if (made.traits.takes_even_weights && made.has_numbers())
    pool = pooled(made.problem, made.scenario.problem.agent_weights, made.partition.starts);
  if (pool.loss != made.problem.loss && made.scenario.record.optimum)
    made.optimum = std::make_shared<const Optimum>(solve_centrally(pool));
  made.initial = [pool] { return pool.objective(Vector::Zero(pool.dim())); };
}

}  // namespace lagnet
