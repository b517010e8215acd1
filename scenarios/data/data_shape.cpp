#include "scenarios/data/data_shape.hpp"

#include <fmt/format.h>

namespace lagnet {

namespace {

template <class Options>
DataSet shape(const Options& options, Index rows) {
  return {.X = DataMatrix::of_shape(rows, options.features),
          .y = {},
          .samples = options.samples,
          .truth = {},
          .origin = fmt::format("{}, {} x {}, without numbers", options.kind, options.samples, options.features)};
}

}  // namespace

DataSet shape_of(const GaussianRegressionOptions& options) { return shape(options, options.samples); }
DataSet shape_of(const GaussianClassificationOptions& options) { return shape(options, options.samples); }
DataSet shape_of(const RotatedRegressionOptions& options) { return shape(options, options.features + 1); }

}  // namespace lagnet
