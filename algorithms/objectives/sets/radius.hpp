#pragma once

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string_view>

namespace lagnet {

/// The radius of a ball, or the bound of a box. Throws std::invalid_argument unless it is finite and at least 0.
inline double checked_radius(std::string_view of, double radius) {
  if (!(std::isfinite(radius) && radius >= 0))
    throw std::invalid_argument(fmt::format("{}: expected a finite number at least 0, found {}", of, radius));
  return radius;
}

}  // namespace lagnet
