#pragma once

#include "sim/base/draws.hpp"

namespace lagnet {

/// The logarithm of a draw of the gamma distribution with this shape, above 0, and scale 1; finite where the draw
/// itself would be too small for a double.
/// Source: Marsaglia, Tsang, "A simple method for generating gamma variables" (2000), with their section 6 below 1.
double log_gamma_draw(double shape, Draws& draws);

}  // namespace lagnet
