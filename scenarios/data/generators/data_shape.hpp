#pragma once

#include "scenarios/data/data_set.hpp"
#include "scenarios/data/generators/federated_classification.hpp"
#include "scenarios/data/generators/federated_regression.hpp"
#include "scenarios/data/generators/gaussian.hpp"
#include "scenarios/data/generators/rotated.hpp"
#include "scenarios/data/generators/sparse_regression.hpp"

/// A stand-in for generated data in a run without numbers: it has the rows, columns and nominal samples that load()
/// gives, and no entries, labels or truth.
namespace lagnet {

DataSet shape_of(const GaussianRegressionOptions& options);
DataSet shape_of(const GaussianClassificationOptions& options);
DataSet shape_of(const RotatedRegressionOptions& options);
DataSet shape_of(const SparseRegressionOptions& options);
DataSet shape_of(const FederatedRegressionOptions& options);
DataSet shape_of(const LowRankRegressionOptions& options);
DataSet shape_of(const FederatedClassificationOptions& options);

}  // namespace lagnet
