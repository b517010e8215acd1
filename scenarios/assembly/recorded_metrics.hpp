#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/assembly/metric.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"

namespace lagnet {

struct Experiment;

/// An iterate in the partition's order, in the data's own order of features.
Vector in_order_of_data(const Experiment& experiment, VectorRef iterate);

/// The columns of a row's metrics: the algorithm's own, then those that the scenario records.
std::vector<std::string> metric_columns(const Experiment& experiment);
/// The header of progress.csv, with these among its columns.
std::vector<std::string> progress_columns(const Experiment& experiment);

/// The metrics that a scenario records, with a column or several each.
class RecordedMetrics {
 public:
  RecordedMetrics() = default;
  /// Adds what keeps one of them from being made to the diagnostics.
  RecordedMetrics(const std::vector<Choice<MetricFamily>>& wanted, Diagnostics& diagnostics);

  const std::vector<std::string>& columns() const { return columns_; }
  /// Adds their missing inputs to the diagnostics, at /record/metrics; needs data, problem, optimum, algorithm.
  void check(const Experiment& experiment, Diagnostics& diagnostics) const;
  /// The metric of this column at the central optimum. Empty for an unknown column, for metrics of the agents' own
  /// iterates, for falling metrics, and without a certified optimum.
  std::optional<double> at_optimum(const Experiment& experiment, std::string_view column) const;
  /// The metrics of an iterate in the data's order, and of the agents' reports.
  std::vector<std::optional<double>> values(const Experiment& experiment, const Vector& theta, double objective,
                                            RoundReport report) const;

 private:
  std::vector<std::string> columns_of(std::size_t metric) const;

  std::vector<std::string> names_;  // of the metrics
  std::vector<MadeMetric> metrics_;
  std::vector<std::string> columns_;  // one or several for each
};

}  // namespace lagnet
