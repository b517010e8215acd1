#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/objectives/iterate_shape.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "sim/base/array.hpp"
#include "sim/base/input_file.hpp"

namespace lagnet {

class Loss;
struct Coupling;
struct LearntSteps;

/// Samples with their labels, as a reader or a generator hands them over.
struct DataSet {
  DataMatrix X;                            // one sample a row, one feature a column (rows x features)
  Vector y;                                // labels (rows); empty where X has no numbers
  Index samples = 0;                       // nominal number of samples: the n of every 1/n factor, >= X.rows()
  std::optional<Vector> truth;             // the coefficients that made y, when a generator knows them (features)
  IterateShape shape = {};                 // of the true and the estimated coefficients; without rows: a vector
  std::string origin;                      // its source and its preprocessing
  std::vector<std::string> features = {};  // names of the columns as read; empty: they have none
  std::shared_ptr<const LearntSteps> learnt = nullptr;  // what preprocessing did; null: nothing yet
  FileDigests read = {};                                // the files that it was read from; empty: it was made
  std::vector<Index> kept = {};  // which of the samples that were read or made the rows are; empty: all
  /// Of data that stand for agents with coupling constraints: how iterates give their variables, and the loss if it is
  /// not the squared one; else null.
  std::shared_ptr<const Coupling> coupling = nullptr;
  std::shared_ptr<const Loss> loss = nullptr;
  /// Samples for tests alone, preprocessed like the others; null if there are none. It has no test set itself.
  std::shared_ptr<const DataSet> test = nullptr;

  /// The memory that its numbers take.
  Bytes bytes() const {
    const Bytes own = X.bytes() + Bytes{sizeof(double)} * (y.size() + (truth ? truth->size() : 0));
    return own + (test ? test->bytes() : 0);
  }
};

}  // namespace lagnet
