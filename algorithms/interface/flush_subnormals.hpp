#pragma once

#include <cmath>

namespace lagnet {

/// x, and 0 in place of anything below 2^-1000. Averaging shrinks a variable whose optimum is 0 by a factor each time:
/// after some thousands of rounds it would stay among the subnormal numbers, with which processors compute a hundred
/// times slower.
inline double without_dust(double x) { return std::abs(x) < 0x1p-1000 ? 0 : x; }

}  // namespace lagnet
