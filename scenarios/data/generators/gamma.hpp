#pragma once

#include <cstdint>

#include "sim/base/draws.hpp"

/// Gamma and chi-square variables by the exact rejection method of Marsaglia, Tsang, "A simple method for generating
/// gamma variables", ACM Transactions on Mathematical Software 26 (2000). How many draws one takes varies.
namespace lagnet {

/// The logarithm of a draw of the gamma distribution with this shape, above 0, and scale 1; finite where the draw
/// itself would be too small for a double. Below a shape of 1 by section 6 of the paper.
double log_gamma_draw(double shape, Draws& draws);

/// A draw of the chi-square distribution with `degrees` >= 1 degrees of freedom: a squared normal for one degree, else
/// twice a gamma variable of shape degrees/2.
double chi_square(Draws& draws, std::int64_t degrees);

}  // namespace lagnet
