#pragma once

#include <cstdint>

#include "sim/base/draws.hpp"

namespace lagnet {

/// A draw from the chi-square distribution with `degrees` >= 1 degrees of freedom: a squared normal for one degree,
/// else twice a gamma variable of shape degrees/2 by the exact rejection method of Marsaglia and Tsang, "A simple
/// method for generating gamma variables", ACM Transactions on Mathematical Software 26 (2000). The number of draws it
/// takes varies.
double chi_square(Draws& draws, std::int64_t degrees);

}  // namespace lagnet
