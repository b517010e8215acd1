#include "scenarios/results/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "scenarios/assembly/load_data.hpp"
#include "scenarios/data/label_rules.hpp"
#include "scenarios/files/csv_records.hpp"
#include "scenarios/files/data_diagnostics.hpp"
#include "scenarios/format/collect_diagnostics.hpp"
#include "scenarios/format/scenario.hpp"
#include "scenarios/results/model_files.hpp"

namespace lagnet {

namespace {

/// The samples of a file, read as the scenario reads its own: columns by their names, where both sides have them.
DataSet samples_of(const Scenario& scenario, const std::filesystem::path& file, const LinearModel& model) {
  const DataSource source = scenario.data.make();
  const Index features = model.W.rows();
  if (!source.load_other) {
    Diagnostics diagnostics(file.string());
    diagnostics.add("/data/source", "a file of samples with their labels (libsvm, csv)",
                    std::string(scenario.data.kind()));
    diagnostics.throw_if_any();
  }
  DataSet samples = load_like(scenario.data, file, features, model.read_as.get());
  if (samples.X.cols() != features)
    refuse_data(samples.origin, fmt::format("{} features, as the model has", features),
                fmt::format("{}", samples.X.cols()));
  // A model's file has names without control characters.
  std::vector<std::string> expected, found;
  std::ranges::transform(model.features, std::back_inserter(expected), printable);
  std::ranges::transform(samples.features, std::back_inserter(found), printable);
  if (!expected.empty() && !found.empty() && found != expected)
    refuse_data(samples.origin, fmt::format("the model's features {}", comma_list(expected)), comma_list(found));
  return samples;
}

/// The label of a file that became this one; itself where labels stay as they are.
double label_before(const LinearModel& model, double label) {
  for (const auto& [from, to] : model.labels)
    if (to == label) return from;
  return label;
}

}  // namespace

Prediction predict(const std::filesystem::path& run, const std::filesystem::path& data) {
  Prediction made{.model = read_model(run), .scenario = {}, .labels = {}, .scores = {}, .predicted = {}};
  const LinearModel& model = made.model;
  const Scenario scenario = read_scenario(read_scenario_file(run / "scenario.json"));
  DataSet samples = samples_of(scenario, data, model);
  made.scenario = scenario.name;
  made.labels = samples.y;
  made.scores = model.scores(samples.X);
  change_labels(samples, model.labels, scenario.data.common());
  const bool has_classes = model.outputs() > 1;  // all that the model knows, whether these samples have them or not
  const Vector known =
      has_classes ? Vector(Vector::LinSpaced(model.outputs(), 0, static_cast<double>(model.outputs() - 1))) : samples.y;
  std::shared_ptr<const Loss> loss;
  Diagnostics diagnostics((run / "scenario.json").string());
  collect_diagnostics(diagnostics, "/problem/loss", [&] { loss = scenario.problem.loss.make(known); });
  diagnostics.throw_if_any();
  const Vector in_units_of_run = (made.scores.array() - model.label_mean) / model.label_deviation;
  const Vector labels = (samples.y.array() - model.label_mean) / model.label_deviation;
  for (const double label : labels)
    if (const auto problem = loss->label_problem(label))
      refuse_data(samples.origin, fmt::format("labels that {} takes: {}", loss->kind(), *problem),
                  fmt::format("{}", label));
  const auto n = static_cast<double>(made.samples());
  made.loss = loss->total(in_units_of_run, labels) / n;
  const bool classifies = has_classes || loss->label_problem(0.5);
  if (!classifies) {
    made.predicted = made.scores;
    made.mean_squared_residual = (made.scores - samples.y).squaredNorm() / n;
    return made;
  }
  made.predicted.resize(made.samples());
  Index right = 0;
  for (Index i = 0; i < made.samples(); ++i) {
    const double predicted = class_of(made.scores.segment(i * model.outputs(), model.outputs()));
    right += predicted == samples.y[i];
    made.predicted[i] = label_before(model, predicted);
  }
  made.accuracy = static_cast<double>(right) / n;
  return made;
}

std::string prediction_table(const Prediction& prediction) {
  const Index outputs = prediction.model.outputs();
  std::vector<std::string> cells{"sample", "label", "predicted"};
  if (outputs == 1) cells.emplace_back("score");
  for (Index c = 0; outputs > 1 && c < outputs; ++c) cells.push_back(fmt::format("score_{}", c));
  std::string text = csv_line(cells);
  for (Index i = 0; i < prediction.samples(); ++i) {
    cells = {fmt::format("{}", i + 1), fmt::format("{}", prediction.labels[i]),
             fmt::format("{}", prediction.predicted[i])};
    for (Index c = 0; c < outputs; ++c) cells.push_back(fmt::format("{}", prediction.scores[i * outputs + c]));
    text += csv_line(cells);
  }
  return text;
}

}  // namespace lagnet
