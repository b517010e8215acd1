#pragma once

#include "scenarios/data/preprocess.hpp"

namespace lagnet {

/// A scaling learned from some samples, for these and for others. From column j it subtracts offset[j] if the scaling
/// centers, and divides it by divisor[j]; a column that was constant becomes zero under a scaling that centers. Rows
/// bring their own lengths.
struct LearntScaling {
  Scaling kind = Scaling::none;
  Vector offset = {};  // means of standardize, minima of minmax (features), else empty
  Vector divisor =
      {};  // standard deviations, ranges, largest absolute values (features), else empty; 0: constant, or zero
};

LearntScaling learn_scaling(const DataMatrix& X, Scaling scaling);

/// X (n x features) scaled. For max_abs a column of zeros stays as it is.
DataMatrix scaled(const DataMatrix& X, const LearntScaling& scaling);

}  // namespace lagnet
