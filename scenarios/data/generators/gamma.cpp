#include "scenarios/data/generators/gamma.hpp"

#include <cmath>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// When the uniform number of a try is drawn: before it is known whether the normal one is in range, or after. A choice
/// of each user, by which its data are what they are.
enum class DrawsUniform { always, in_range };

/// A gamma variable of a shape >= 1.
double gamma_draw(double shape, Draws& draws, DrawsUniform order) {
  const double d = shape - 1.0 / 3, c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = draws.normal(), root = 1 + c * x;
    double u = order == DrawsUniform::always ? draws.uniform() : 0;
    if (root <= 0) continue;
    if (order == DrawsUniform::in_range) u = draws.uniform();
    const double v = root * root * root;
    if (std::log(u) < x * x / 2 + d - d * v + d * std::log(v)) return d * v;
  }
}

}  // namespace

double log_gamma_draw(double shape, Draws& draws) {
  if (shape >= 1) return std::log(gamma_draw(shape, draws, DrawsUniform::always));
  const double larger = log_gamma_draw(shape + 1, draws);
  return larger + std::log(draws.uniform()) / shape;
}

double chi_square(Draws& draws, std::int64_t degrees) {
  LAGNET_CHECK(degrees >= 1, "a chi-square variable of {} degrees", degrees);
  if (degrees > 1) return 2 * gamma_draw(static_cast<double>(degrees) / 2, draws, DrawsUniform::in_range);
  const double x = draws.normal();
  return x * x;
}

}  // namespace lagnet
