#include "algorithms/local/idle_steps.hpp"

#include <cmath>
#include <utility>

namespace lagnet {

std::size_t IdleSteps::steps_on_side(double side, double x, double f, double s, std::size_t m) const {
  const auto is_on_side = [&](double at) { return side * (at / tau + s) > t; };
  if (is_on_side(f)) return m;  // and all between x and f
  // The first k with A^k (x - f) no longer on the side, by bisection: powers fall with k.
  std::size_t low = 0, high = m;  // on the side after low steps; not after high, or high is m
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (is_on_side(f + powers[middle] * (x - f)) ? low : high) = middle;
  }
  return low + 1;
}

IdleSteps::State IdleSteps::after(std::size_t m, double x, double s) const {
  double last = x;
  while (m > 0) {
    const double w = x / tau + s;
    if (std::abs(w) <= t) {
      last = std::exchange(x, 0.0);
      --m;
      if (m > 0 && std::abs(s) <= t) return {};  // it stays there
      continue;
    }
    const double side = w > 0 ? 1 : -1, f = (s - side * t) / Lam, off = x - f;
    const std::size_t steps = steps_on_side(side, x, f, s, m);
    last = f + powers[steps - 1] * off;
    x = f + powers[steps] * off;
    m -= steps;
  }
  return {.x = x, .last = last};
}

}  // namespace lagnet
