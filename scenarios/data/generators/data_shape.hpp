#pragma once

#include <string_view>

#include "scenarios/data/data_set.hpp"

namespace lagnet {

/// How many samples, rows and columns generated data have; in doubles, so that no product overflows.
struct DataShape {
  double samples = 0, rows = 0, features = 0;
  IterateShape coefficients = {};  // without rows: a vector

  /// One row for each sample.
  static DataShape plain(double samples, double features) { return {samples, samples, features}; }
};

/// A stand-in for generated data in a run without numbers: it has this shape, and no entries, labels or truth.
DataSet without_numbers(std::string_view kind, const DataShape& shape);

}  // namespace lagnet
