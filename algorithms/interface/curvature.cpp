#include "algorithms/interface/curvature.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lagnet {

double positive(const char* key, double value) {
  if (!(std::isfinite(value) && value > 0)) throw OptionError(key, "a number above 0", fmt::format("{}", value));
  return value;
}

double largest_curvature(std::optional<double> L, const MethodInput& given) {
  if (L) return positive("L", *L);
  const double norm = given.central->data_norm();
  if (!(norm > 0))
    throw OptionError("L", "a number above 0, since it cannot be taken from the data", "data that are all 0");
  return given.problem.loss->smoothness().value() * norm * norm / static_cast<double>(given.problem.samples);
}

}  // namespace lagnet
