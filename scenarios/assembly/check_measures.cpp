#include "scenarios/assembly/check_measures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lagnet {

namespace {

/// A relative error that never can be measured would let a run go on to its last round for nothing.
void check_tolerance(const Experiment& made, Diagnostics& diagnostics) {
  if (!made.scenario.stop.relative_error || !made.has_numbers()) return;
  const std::string pointer = "/stop/relative_error", expected = "a problem with a certified optimum, or none";
  if (made.algorithm->has_own_objective())
    diagnostics.add(pointer, expected,
                    "an algorithm with options that change the objective, so that no optimum is known");
  else if (made.optimum && made.optimum->certificate.kind == CertificateKind::no_minimizer)
    diagnostics.add(pointer, expected, "a problem without a minimizer (separable data); a regularizer gives it one");
  else if (made.optimum && !made.optimum->certified())
    diagnostics.add(pointer, expected, fmt::format("no certificate ({})", made.optimum->certificate.method));
  else if (made.optimum) {
    const double floor = made.optimum->smallest_error(made.initial());
    if (*made.scenario.stop.relative_error < floor)
      diagnostics.add(pointer, fmt::format("at least {:.2g}, the accuracy of the optimum's certificate", floor),
                      fmt::format("{}", *made.scenario.stop.relative_error));
  }
}

/// A metric that no row has, or whose value at the optimum is not known, would do the same.
void check_stop_metric(const Experiment& made, Diagnostics& diagnostics) {
  const auto& metric = made.scenario.stop.metric;
  if (!metric || !made.has_numbers()) return;
  const std::vector<std::string> columns = metric_columns(made);
  if (std::ranges::find(columns, metric->column) == columns.end())
    diagnostics.add("/stop/metric/column",
                    columns.empty() ? "null for stop.metric, since no metric is recorded"
                                    : fmt::format("a metric that is recorded: {}", fmt::join(columns, ", ")),
                    metric->column);
  else if (metric->share_of_central && !(made.metrics.at_optimum(made, metric->column).value_or(0) > 0))
    diagnostics.add(
        "/stop/metric/share_of_central",
        "null, since the central optimum has no such value above 0: share_of_central needs record.optimum, a certified "
        "optimum, and a rising metric of one iterate in record.metrics, such as accuracy or support_f1",
        metric->column);
}

}  // namespace

void check_measures(const Experiment& made, Diagnostics& diagnostics) {
  check_tolerance(made, diagnostics);
  const bool are_divided =
      made.traits.partition_by == PartitionBy::samples && made.data->X.rows() == made.data->samples;
  if (made.scenario.record.holders && !are_divided)
    diagnostics.add("/record/holders", "false, since no agent holds samples of its own", "true");
  made.metrics.check(made, diagnostics);
  diagnostics.throw_if_any();
  check_stop_metric(made, diagnostics);
  diagnostics.throw_if_any();
}

}  // namespace lagnet
