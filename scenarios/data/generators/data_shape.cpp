#include "scenarios/data/generators/data_shape.hpp"

#include <fmt/format.h>

namespace lagnet {

namespace {

DataSet shape(std::string_view kind, Index samples, Index rows, Index features) {
  return {.X = DataMatrix::of_shape(rows, features),
          .y = {},
          .samples = samples,
          .truth = {},
          .origin = fmt::format("{}, {} x {}, without numbers", kind, samples, features)};
}

/// Of generated samples that are all there; a test set is not made.
template <class Options>
DataSet shape_by_client(const Options& options, Index features) {
  const Index samples = options.clients * options.samples_per_client;
  return shape(options.kind, samples, samples, features);
}

}  // namespace

DataSet shape_of(const GaussianRegressionOptions& options) {
  return shape(options.kind, options.samples, options.samples, options.features);
}
DataSet shape_of(const GaussianClassificationOptions& options) {
  return shape(options.kind, options.samples, options.samples, options.features);
}
DataSet shape_of(const RotatedRegressionOptions& options) {
  return shape(options.kind, options.samples, options.features + 1, options.features);
}
DataSet shape_of(const SparseRegressionOptions& options) {
  return shape(options.kind, options.samples, options.samples, options.features);
}
DataSet shape_of(const FederatedRegressionOptions& options) { return shape_by_client(options, options.features); }
DataSet shape_of(const FederatedClassificationOptions& options) { return shape_by_client(options, options.features); }
DataSet shape_of(const LowRankRegressionOptions& options) {
  DataSet data = shape_by_client(options, options.rows * options.columns);
  data.shape = IterateShape::matrix(options.rows, options.columns);
  return data;
}

}  // namespace lagnet
