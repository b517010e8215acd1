#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/assembly/metric.hpp"
#include "scenarios/format/kinds/metric_kinds.hpp"

namespace lagnet {

struct Experiment;

/// An iterate in the partition's order, in the data's own order of features.
Vector in_order_of_data(const Experiment& experiment, VectorRef iterate);

/// The metrics that a scenario records, one column each.
class RecordedMetrics {
 public:
  RecordedMetrics() = default;
  /// Adds what keeps one of them from being made to the diagnostics.
  RecordedMetrics(const std::vector<Choice<MetricFamily>>& wanted, Diagnostics& diagnostics);

  const std::vector<std::string>& columns() const { return columns_; }
  /// Adds what is missing for them, at /record/metrics, to the diagnostics; needs data, problem, optimum, algorithm.
  void check(const Experiment& experiment, Diagnostics& diagnostics) const;
  /// The metrics of an iterate in the data's order, and of what the agents reported.
  std::vector<std::optional<double>> values(const Experiment& experiment, const Vector& theta, double objective,
                                            RoundReport report) const;

 private:
  std::vector<std::string> columns_;
  std::vector<MadeMetric> metrics_;
};

}  // namespace lagnet
