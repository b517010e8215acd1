#pragma once

#include <optional>

#include "algorithms/interface/algorithm.hpp"
#include "sim/base/options.hpp"

/// The constants that step sizes follow from.
namespace lagnet {

/// The value of an option that must be above 0. Throws OptionError.
double positive(const char* key, double value);

/// L, by default from the data. Throws OptionError unless it is above 0, or for data that are all 0.
double largest_curvature(std::optional<double> L, const MethodInput& given);

}  // namespace lagnet
