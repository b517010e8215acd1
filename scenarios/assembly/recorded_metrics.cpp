#include "scenarios/assembly/recorded_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "scenarios/format/result_columns.hpp"

namespace lagnet {

namespace {

/// The first label that is none of a classifier's, if there is one.
std::optional<double> foreign_label(const Vector& y, Index outputs) {
  const auto is_class = [&](double label) {
    if (outputs == 1) return label == -1 || label == 1;
    return label >= 0 && label < static_cast<double>(outputs) &&
           label == static_cast<double>(static_cast<Index>(label));
  };
  const auto found = std::find_if_not(y.begin(), y.end(), is_class);
  return found == y.end() ? std::nullopt : std::optional(*found);
}

/// What is missing, as what was expected and what was found instead.
std::vector<std::pair<std::string, std::string>> missing(const MetricNeeds& needs, const Experiment& experiment) {
  std::vector<std::pair<std::string, std::string>> texts;
  const DataSet& data = *experiment.data;
  const IterateShape shape = experiment.problem.shape;
  if (needs.truth && !data.truth)
    texts.emplace_back("a metric that needs no true coefficients, which these data do not have", data.origin);
  else if (needs.truth && data.truth->size() != shape.size())
    texts.emplace_back(fmt::format("{} true coefficients, as many as are sought", shape.size()),
                       fmt::format("{}", data.truth->size()));
  if (needs.matrix && !shape.is_matrix)
    texts.emplace_back("a metric of vectors, since the iterate is no matrix", fmt::format("{} numbers", shape.size()));
  if (needs.test && !data.test)
    texts.emplace_back(
        "a metric that needs no test samples, or data with some (test_fraction, test_samples, test_path)", "none");
  if (needs.local && !experiment.algorithm->local_samples())
    texts.emplace_back("a metric of one iterate, since agents have none of their own", "a metric of agents' iterates");
  if (needs.optimum && !experiment.optimum) texts.emplace_back("record.optimum to be true, which it needs", "false");
  const Index outputs = std::max<Index>(1, shape.size() / std::max<Index>(1, data.X.cols()));
  if (needs.single_score && outputs > 1)
    texts.emplace_back("a metric of classes, since each sample has several scores", fmt::format("{} scores", outputs));
  if (!needs.classes) return texts;
  const std::string classes = outputs == 1 ? "labels -1 and 1" : fmt::format("labels 0 to {}", outputs - 1);
  for (const DataSet* samples : {&data, needs.test ? data.test.get() : nullptr})
    if (const auto foreign = samples ? foreign_label(samples->y, outputs) : std::nullopt)
      texts.emplace_back(classes + " for a metric of classes", fmt::format("{}", *foreign));
  return texts;
}

}  // namespace

Vector in_order_of_data(const Experiment& experiment, VectorRef iterate) {
  const std::vector<Index>& order = experiment.partition.order;
  if (order.empty() || experiment.traits.partition_by != PartitionBy::features) return iterate;
  Vector theta(iterate.size());
  for (std::size_t place = 0; place < order.size(); ++place) theta[order[place]] = iterate[static_cast<Index>(place)];
  return theta;
}

RecordedMetrics::RecordedMetrics(const std::vector<Choice<MetricFamily>>& wanted, Diagnostics& diagnostics) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const auto* const python = wanted[i].options_as<PythonMetricOptions>();
    const std::string name(python ? class_called(python->name) : std::string(wanted[i].kind()));
    columns_.push_back(wanted[i].common().column.value_or(name));
    collect_diagnostics(diagnostics, fmt::format("/record/metrics/{}", i),
                        [&] { metrics_.push_back(wanted[i].make()); });
  }
}

void RecordedMetrics::check(const Experiment& experiment, Diagnostics& diagnostics) const {
  std::vector<std::string> taken = experiment.algorithm->metric_names();
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const std::string pointer = fmt::format("/record/metrics/{}", i);
    for (const auto& [expected, found] : missing(metrics_[i].needs, experiment))
      diagnostics.add(pointer, expected, found);
    if (columns_[i].empty()) diagnostics.add(pointer + "/column", "a name, or null", "\"\"");
    if (is_common_column(columns_[i]) || is_column_of_sweeps(columns_[i]) ||
        std::ranges::find(taken, columns_[i]) != taken.end())
      diagnostics.add(pointer, "a column that is not there already; \"column\" gives it another name", columns_[i]);
    taken.push_back(columns_[i]);
  }
}

std::vector<std::optional<double>> RecordedMetrics::values(const Experiment& experiment, const Vector& theta,
                                                           double objective, RoundReport report) const {
  std::vector<std::optional<double>> values(metrics_.size());
  if (metrics_.empty() || !theta.allFinite()) return values;
  std::optional<LocalIterates> local;
  if (const auto* samples = experiment.algorithm->local_samples()) local.emplace(report, *samples);
  const MetricInput input(theta, objective, *experiment.data, experiment.problem, experiment.optimum.get(),
                          local ? &*local : nullptr);
  for (std::size_t i = 0; i < metrics_.size(); ++i) values[i] = metrics_[i].value(input);
  return values;
}

}  // namespace lagnet
