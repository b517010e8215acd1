#include "scenarios/deploy/kernel_speed.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/kernels/column_block.hpp"
#include "algorithms/kernels/row_block.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "sim/base/errors.hpp"
#include "sim/realtime/work_time.hpp"

namespace lagnet {

namespace {

double speed_of_rows(const Problem& problem, Index first, Index count) {
  const RowBlock rows(std::make_shared<SampleRows>(*problem.X, problem.y), first, count);
  std::vector<Index> batch(static_cast<std::size_t>(count));
  std::iota(batch.begin(), batch.end(), Index{0});
  const Vector w = Vector::Constant(problem.dim(), 0.5);
  volatile double used = 0;
  const double seconds = seconds_of_work([&] { used = rows.gradient(*problem.loss, w, batch)[0]; });
  return static_cast<double>(rows.gradient_work(batch, problem.loss->outputs()).flops) / seconds;
}

double speed_of_columns(const Problem& problem, Index first, Index count) {
  const ColumnBlock columns(problem.X, first, count, problem.X->rows());
  const Vector lambda = Vector::Constant(problem.X->rows(), 0.5);
  volatile double used = 0;
  const double seconds = seconds_of_work([&] { used = columns.transpose_times(lambda)[0]; });
  return static_cast<double>(columns.transpose_times_flops()) / seconds;
}

/// From the first of them to the last: a process with only its share of the data has few other rows between them.
/// Throws RunError if there are none.
std::pair<Index, Index> rows_with_entries(const Experiment& experiment) {
  const Problem& problem = experiment.problem;
  if (experiment.traits.partition_by != PartitionBy::samples) return {0, problem.X->rows()};
  const auto starts = starts_by_agent(experiment.partition, experiment.traits);
  const auto is_empty = [&](std::size_t i) {
    return problem.X->row_range(starts[i], starts[i + 1] - starts[i]).is_zero();
  };
  std::size_t before = 0, behind = starts.size() - 1;
  while (before < behind && is_empty(before)) ++before;
  while (behind > before && is_empty(behind - 1)) --behind;
  if (before == behind)
    throw RunError("no speed can be measured without samples; expected all data on a computer whose agents have none");
  return {starts[before], starts[behind] - starts[before]};
}

}  // namespace

double measured_flops_per_s(const Experiment& experiment, AgentId agent) {
  const Problem& problem = experiment.problem;
  auto [first, count] = rows_with_entries(experiment);
  bool is_of_columns = false;
  if (experiment.traits.partition_by != PartitionBy::cells) {
    const auto starts = starts_by_agent(experiment.partition, experiment.traits);
    const Index from = starts[agent], until = starts[agent + 1];
    if (until > from) {
      first = from;
      count = until - from;
      is_of_columns = experiment.traits.partition_by == PartitionBy::features;
    }
  }
  const double speed = is_of_columns ? speed_of_columns(problem, first, count) : speed_of_rows(problem, first, count);
  return std::max(speed, 1.0);  // the least that a scenario may have: of blocks without entries
}

}  // namespace lagnet
