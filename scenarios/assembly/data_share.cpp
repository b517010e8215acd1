#include "scenarios/assembly/data_share.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "algorithms/objectives/sets/l1_ball.hpp"
#include "scenarios/assembly/experiment_cache.hpp"
#include "scenarios/assembly/partition_data.hpp"
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
    refuse("problem.constraint.radius_of_fit is said of a fit to all of them; give the radius");
  if (scenario.algorithm.kind() == python_kind) refuse("a method in Python may look at all of them");
}

/// The rows, or columns, of these agents.
std::vector<Index> places_of(const std::vector<AgentId>& agents, const std::vector<Index>& starts) {
  std::vector<Index> places;
  for (const AgentId agent : agents)
    for (Index i = starts[agent]; i < starts[agent + 1]; ++i) places.push_back(i);
  std::ranges::sort(places);
  return places;
}

Matrix dense_data_of(const DataShare& share) {
  Matrix all = Matrix::Zero(share.rows, share.columns);
  if (share.of_samples)
    all(share.held, Eigen::all) = share.numbers.dense();
  else
    all(Eigen::all, share.held) = share.numbers.dense();
  return all;
}

SparseMatrix sparse_data_of(const DataShare& share) {
  const SparseView numbers = *share.numbers.as_sparse();
  std::vector<Eigen::Triplet<double, SparseMatrix::StorageIndex>> entries;
  entries.reserve(static_cast<std::size_t>(numbers.nonZeros()));
  const auto place = [&](Index i) {
    return static_cast<SparseMatrix::StorageIndex>(share.held[static_cast<std::size_t>(i)]);
  };
  for (Index column = 0; column < numbers.outerSize(); ++column)
    for (SparseView::InnerIterator at(numbers, column); at; ++at) {
      const auto row_here = static_cast<SparseMatrix::StorageIndex>(at.row());
      const auto column_here = static_cast<SparseMatrix::StorageIndex>(at.col());
      entries.emplace_back(share.of_samples ? place(at.row()) : row_here,
                           share.of_samples ? column_here : place(at.col()), at.value());
    }
  SparseMatrix all(share.rows, share.columns);
  all.setFromTriplets(entries.begin(), entries.end());
  return all;
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

DataSet data_of(const DataShare& share) {
  DataSet data{.X = share.numbers.is_sparse() ? DataMatrix(sparse_data_of(share)) : DataMatrix(dense_data_of(share))};
  data.y = share.y;
  if (share.of_samples) {
    data.y = Vector::Constant(share.rows, share.other_label);
    data.y(share.held) = share.y;
  }
  data.samples = share.samples;
  data.shape = share.shape;
  data.origin = "a share of the data";
  return data;
}

}  // namespace lagnet
