#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scenarios/data/scaling.hpp"
#include "sim/base/array.hpp"

namespace lagnet {

struct ReadAs;

/// Constants learned from samples, to treat other samples alike: from reading, and from preprocessing: x' is x scaled,
/// times a factor, with an intercept as the last column; y' = (y - label_mean) / label_deviation.
struct LearntSteps {
  LearntScaling scaling = {};
  double factor = 1;
  bool has_intercept = false;
  double intercept_value = 1;
  double label_mean = 0, label_deviation = 1;
  std::map<double, double> labels = {};        // the new value of each label; empty: as they are
  std::shared_ptr<const ReadAs> read_as = {};  // how another file is read alike; null: by position
  std::vector<std::string> doubts = {};        // of the reader, each with the key that settles it
};

/// A linear model on raw data, before any preprocessing: the scores of x are x'W + intercept, in units of the raw
/// labels.
struct LinearModel {
  Matrix W;                // a column for each score of a sample                        (features x outputs)
  Vector intercept;        // the scores of x = 0; empty if they are 0 by construction   (outputs)
  bool unit_rows = false;  // x is divided by its length first
  std::vector<std::string> features = {};      // their names; empty: they have none
  std::shared_ptr<const ReadAs> read_as = {};  // how files of samples are read; null: by position
  std::map<double, double> labels = {};        // what each label of a file became; empty: nothing changed
  double label_mean = 0, label_deviation = 1;  // by which labels were scaled for the run

  Index outputs() const { return W.cols(); }
  /// The scores of these rows, sample by sample (n x features) -> (n outputs).
  Vector scores(const DataMatrix& X) const;
};

/// The class of a sample by its scores, as the loss counts classes: -1 and 1 for one score, otherwise 0, 1, ..
double class_of(VectorRef scores);

/// The model that scores as theta does on preprocessed samples: theta has `outputs` coefficients for each column there,
/// row by row, in the data's order.
LinearModel model_of(VectorRef theta, Index outputs, const LearntSteps& learnt, std::vector<std::string> features);

}  // namespace lagnet
