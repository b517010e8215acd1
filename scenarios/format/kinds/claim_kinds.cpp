#include "scenarios/format/kinds/claim_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace lagnet {

std::string Bounds::words() const {
  if (low && high) return fmt::format("from {:.4g} to {:.4g}", *low, *high);
  return low ? fmt::format("at least {:.4g}", *low) : fmt::format("at most {:.4g}", high.value_or(0));
}

double Bounds::slack(double x) const {
  double least = std::numeric_limits<double>::infinity();
  const auto keep = [&](double distance, double bound) {
    least = std::min(least, bound == 0 ? distance : distance / std::abs(bound));
  };
  if (low) keep(x - *low, *low);
  if (high) keep(*high - x, *high);
  return least;
}

double Bounds::quotient(double x) const {
  double least = std::numeric_limits<double>::quiet_NaN();
  const auto keep = [&](double quotient) { least = std::fmin(least, quotient); };  // a number before nan
  if (low && *low > 0 && x > 0) keep(x / *low);
  if (high && *high > 0 && x > 0) keep(*high / x);
  return least;
}

}  // namespace lagnet
