#include "scenarios/assembly/make_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/peers/bases/peers.hpp"
#include "scenarios/assembly/partition_data.hpp"
#include "scenarios/data/label_rules.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "sim/base/draws.hpp"

namespace lagnet {

namespace {

/// Of what is sought: as the data say, or with a loss of c scores a row of them for each feature, else a vector.
IterateShape shape_of(const DataSet& data, const Loss& loss) {
  if (data.shape.rows > 0) return data.shape;
  if (loss.outputs() > 1) return IterateShape::matrix(data.X.cols(), loss.outputs());
  return IterateShape::vector(data.X.cols());
}

/// What to do about labels that the loss does not take: another rule for them, or another loss.
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
    if (are_taken_by(*entry->make(entry->defaults().get(), y))) losses.emplace_back(entry->kind);
  return losses.empty() ? "" : fmt::format("; losses that take these labels: {}", comma_list(losses));
}

}  // namespace

void make_problem(Experiment& made, Diagnostics& diagnostics) {
  const Topology* const topology = made.topology.get();
  const Scenario& scenario = made.scenario;
  made.problem.X = std::shared_ptr<const DataMatrix>(made.data, &made.data->X);
  made.problem.y = made.data->y;
  made.problem.samples = made.data->samples;
  collect_diagnostics(diagnostics, "/problem/loss",
                      [&] { made.problem.loss = scenario.problem.loss.make(made.data->y); });
  if (!made.problem.loss) return;
  made.problem.shape = shape_of(*made.data, *made.problem.loss);
  collect_diagnostics(diagnostics, "/problem/regularizer",
                      [&] { made.problem.regularizer = scenario.problem.regularizer.make(made.problem.shape); });
  if (!made.problem.regularizer) return;
  collect_diagnostics(diagnostics, "/problem/constraint", [&] {
    made.problem.constraint = scenario.problem.constraint.make(IterateShape(made.problem.shape));
  });
  if (made.problem.constraint && !made.traits.takes_constraint)
    diagnostics.add("/problem/constraint/kind",
                    fmt::format("none, since {} does not keep iterates in a set", scenario.algorithm.kind()),
                    std::string(scenario.problem.constraint.kind()));
  for (const Diagnostic& wrong : made.problem.diagnostics())
    diagnostics.add("/data: " + wrong.where, wrong.expected,
                    wrong.found + (wrong.where.starts_with("y: ") ? labels_remedy(made) : ""));
  if (made.data->samples > made.data->X.rows() && !made.problem.loss->is_squared())
    diagnostics.add("/problem/loss", "squared, the only loss that reduced data stand for",
                    std::string(made.problem.loss->kind()));
  const bool fits = check_partition(made.traits, scenario.partition, made.problem, diagnostics);
  if (!topology || !fits || made.traits.agents_with_data(topology->agents()) < 1) return;
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

void weigh_agents_equally(Experiment& made) {
  made.initial = [problem = made.problem] { return problem.objective(Vector::Zero(problem.dim())); };
  if (!made.traits.equal_agents || !made.has_numbers()) return;
  const std::vector<Index> starts = starts_by_agent(made.partition, made.traits);
  const bool even =
      std::ranges::adjacent_find(starts, [&](Index a, Index b) { return b - a != starts[1]; }) == starts.end();
  if (even) return;
  const auto same = pooled(made.problem, starts);
  if (same) made.initial = [problem = *same] { return problem.objective(Vector::Zero(problem.dim())); };
  if (!made.scenario.record.optimum) return;
  if (same) {
    made.optimum = std::make_shared<const Optimum>(solve_centrally(*same));
    return;
  }
  const Vector zero = Vector::Zero(made.problem.dim());
  const Certificate proof{CertificateKind::none, std::numeric_limits<double>::infinity(),
                          "none for agents with different numbers of samples, which weigh alike, and this loss"};
  made.optimum = std::make_shared<const Optimum>(Optimum{zero, made.problem.objective(zero), proof});
}

}  // namespace lagnet
