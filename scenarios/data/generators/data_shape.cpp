#include "scenarios/data/generators/data_shape.hpp"

#include <fmt/format.h>

namespace lagnet {

DataSet without_numbers(std::string_view kind, const DataShape& shape) {
  const auto samples = static_cast<Index>(shape.samples), features = static_cast<Index>(shape.features);
  return {.X = DataMatrix::of_shape(static_cast<Index>(shape.rows), features),
          .y = {},
          .samples = samples,
          .shape = shape.coefficients,
          .origin = fmt::format("{}, {} x {}, without numbers", kind, samples, features)};
}

}  // namespace lagnet
