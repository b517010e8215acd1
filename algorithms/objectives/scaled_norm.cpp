#include "algorithms/objectives/scaled_norm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace lagnet {

ScaledNorm::ScaledNorm(std::string_view kind, double weight) : weight_(weight) {
  if (weight >= 0 && std::isfinite(weight)) return;
  throw std::invalid_argument(fmt::format("{} weight: expected a finite number of at least 0, found {}", kind, weight));
}

double ScaledNorm::conjugate(VectorRef q) const {
  return q.size() == 0 || dual_norm(q) <= weight_ ? 0 : std::numeric_limits<double>::infinity();
}

Vector ScaledNorm::prox_conjugate(VectorRef u, double) const { return u - shrunk(u, weight_); }

double simplex_threshold(Vector s, double radius) {
  if (!(s.sum() > radius)) return 0;
  std::sort(s.begin(), s.end(), std::greater<>());
  double sum = 0, theta = 0;
  for (Index i = 0; i < s.size(); ++i) {
    sum += s[i];
    const double candidate = (sum - radius) / static_cast<double>(i + 1);
    if (candidate >= s[i]) break;
    theta = candidate;
  }
  return std::max(theta, 0.0);
}

}  // namespace lagnet
