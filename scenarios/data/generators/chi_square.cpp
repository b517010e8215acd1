#include "scenarios/data/generators/chi_square.hpp"

#include <cmath>

#include "sim/base/errors.hpp"

namespace lagnet {

double chi_square(Draws& draws, std::int64_t degrees) {
  LAGNET_CHECK(degrees >= 1, "a chi-square variable of {} degrees", degrees);
  if (degrees == 1) {
    const double x = draws.normal();
    return x * x;
  }
  const double d = static_cast<double>(degrees) / 2 - 1.0 / 3;  // Marsaglia and Tsang's d and c, for a shape >= 1
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draws.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(draws.uniform()) < x * x / 2 + d - d * v + d * std::log(v)) return 2 * d * v;
  }
}

}  // namespace lagnet
