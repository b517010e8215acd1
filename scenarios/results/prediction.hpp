#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scenarios/data/linear_model.hpp"
#include "sim/base/types.hpp"

namespace lagnet {

/// The predictions of a run's model for samples in a file.
struct Prediction {
  LinearModel model;
  std::string scenario;  // the run's name
  Vector labels;         // as the file has them                                  (n)
  Vector scores;         // of each sample, one after the other                   (n outputs)
  Vector predicted;      // labels as the file would have them: of classifiers the most likely one's; else the score (n)
  double loss = 0;       // mean of the scenario's loss
  std::optional<double> accuracy;               // of classifiers: share of samples predicted right
  std::optional<double> mean_squared_residual;  // of others, in units of the labels
  Index samples() const { return labels.size(); }
};

/// Reads the samples as the run's scenario reads its own. Throws OutputError for a folder without a model, Diagnosed
/// for the file, and where the run's data are not in a file of samples.
Prediction predict(const std::filesystem::path& run, const std::filesystem::path& data);

/// sample, label, predicted, and score, or score_0, score_1, .. of classes: a line for each sample.
std::string prediction_table(const Prediction& prediction);

}  // namespace lagnet
