#include "scenarios/data/generators/gamma.hpp"

#include <cmath>

namespace lagnet {

double log_gamma_draw(double shape, Draws& draws) {
  if (shape < 1) {
    const double larger = log_gamma_draw(shape + 1, draws);
    return larger + std::log(draws.uniform()) / shape;
  }
  const double d = shape - 1.0 / 3.0, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draws.normal(), u = draws.uniform(), root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    if (std::log(u) < x * x / 2 + d - d * v + d * std::log(v)) return std::log(d * v);
  }
}

}  // namespace lagnet
