#pragma once

#include <cmath>

namespace lagnet {

/// x, or 0 if |x| is below 2^-1000. Averaging shrinks a variable whose optimum is 0 by a factor in each round: after
/// some thousands of rounds it would be a subnormal number, with which processors compute a hundred times slower.
inline double without_dust(double x) { return std::abs(x) < 0x1p-1000 ? 0 : x; }

}  // namespace lagnet
