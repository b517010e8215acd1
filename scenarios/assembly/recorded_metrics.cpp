#include "scenarios/assembly/recorded_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenarios/assembly/experiment.hpp"
#include "scenarios/assembly/load_data.hpp"
#include "scenarios/data/coupling.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/column_dictionary.hpp"
#include "scenarios/format/kinds/python_class.hpp"
#include "scenarios/format/result_columns.hpp"

namespace lagnet {

namespace {

/// The first label that is not a class, if there is one.
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
  if (needs.held && (experiment.traits.partition_by != PartitionBy::samples || data.X.rows() != data.samples))
    texts.emplace_back("a metric of all samples together, since agents hold none of their own",
                       "a metric of each agent's samples");
  if (needs.coupled && !data.coupling)
    texts.emplace_back("data with coupling constraints, for a metric of them", data.origin);
  else if (needs.coupled && needs.variables > data.coupling->variables())
    texts.emplace_back(fmt::format("variables from 0 to {}", data.coupling->variables() - 1),
                       fmt::format("{}", needs.variables - 1));
  if (needs.single_score && data.loss)
    texts.emplace_back("a metric of other data, since variables with limits have no residual", data.origin);
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
    names_.push_back(wanted[i].common().column.value_or(name));
    collect_diagnostics(diagnostics, fmt::format("/record/metrics/{}", i),
                        [&] { metrics_.push_back(wanted[i].make()); });
  }
  if (metrics_.size() < names_.size()) return;  // the diagnostics say why
  for (std::size_t i = 0; i < metrics_.size(); ++i)
    for (std::string& column : columns_of(i)) columns_.push_back(std::move(column));
}

std::vector<std::string> RecordedMetrics::columns_of(std::size_t i) const {
  if (metrics_[i].parts.empty()) return {names_[i]};
  std::vector<std::string> columns;
  for (const std::string& part : metrics_[i].parts) columns.push_back(fmt::format("{}_{}", names_[i], part));
  return columns;
}

void RecordedMetrics::check(const Experiment& experiment, Diagnostics& diagnostics) const {
  std::vector<std::string> taken = experiment.algorithm->metric_names();
  for (std::size_t i = 0; i < metrics_.size(); ++i) {
    const std::string pointer = fmt::format("/record/metrics/{}", i);
    for (const auto& [expected, found] : missing(metrics_[i].needs, experiment))
      diagnostics.add(pointer, expected, found);
    if (names_[i].empty()) diagnostics.add(pointer + "/column", "a name, or null", "\"\"");
    for (const std::string& column : columns_of(i)) {
      if (is_common_column(column) || is_column_of_sweeps(column) || std::ranges::find(taken, column) != taken.end())
        diagnostics.add(pointer, "a column that is not there already; \"column\" gives it another name", column);
      taken.push_back(column);
    }
  }
}

std::vector<std::string> metric_columns(const Experiment& experiment) {
  std::vector<std::string> all = experiment.algorithm->metric_names();
  const std::vector<std::string>& recorded = experiment.metrics.columns();
  all.insert(all.end(), recorded.begin(), recorded.end());
  return all;
}

std::vector<std::string> progress_columns(const Experiment& experiment) {
  std::vector<std::string> columns;
  for (const auto& column : columns_before_metrics()) columns.emplace_back(column.name);
  for (std::string& name : metric_columns(experiment)) columns.push_back(std::move(name));
  for (const auto& column : columns_after_metrics()) columns.emplace_back(column.name);
  return columns;
}

std::optional<double> RecordedMetrics::at_optimum(const Experiment& experiment, std::string_view column) const {
  const auto place = static_cast<std::size_t>(std::ranges::find(names_, column) - names_.begin());
  const Optimum* const optimum = experiment.optimum.get();
  if (place == names_.size() || !metrics_[place].value || !metrics_[place].rises || metrics_[place].needs.local ||
      !optimum || !optimum->certified())
    return std::nullopt;
  return metrics_[place].value(
      MetricInput(optimum->theta, optimum->value, *experiment.data, experiment.problem, optimum));
}

std::vector<std::optional<double>> RecordedMetrics::values(const Experiment& experiment, const Vector& theta,
                                                           double objective, RoundReport report) const {
  std::vector<std::optional<double>> values;
  if (metrics_.empty() || !theta.allFinite()) {
    values.resize(columns_.size());
    return values;
  }
  std::optional<LocalIterates> local;
  if (const auto* samples = experiment.algorithm->local_samples()) local.emplace(report, *samples);
  const HeldSamples held{experiment.partition.order, starts_by_agent(experiment.partition, experiment.traits)};
  const MetricInput input(theta, objective, *experiment.data, experiment.problem, experiment.optimum.get(),
                          local ? &*local : nullptr, &held);
  for (const MadeMetric& metric : metrics_)
    if (metric.value)
      values.push_back(metric.value(input));
    else
      for (const double one : metric.values(input)) values.emplace_back(one);
  return values;
}

}  // namespace lagnet
