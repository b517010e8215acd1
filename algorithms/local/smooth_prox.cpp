#include "algorithms/local/smooth_prox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

constexpr Index most_allowed = 1'000'000;

std::vector<Index> all_rows(const RowBlock& samples) {
  std::vector<Index> rows(static_cast<std::size_t>(samples.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

}  // namespace

Index SmoothProx::most_gradients(double first_norm) const {
  // h - h* falls by 1 - 1/sqrt(kappa) a step from at most |grad|^2 / rho, and |grad|^2 is at most 2 (L + rho) times it.
  const double kappa = (L_ + rho_) / rho_, ratio = first_norm / (rho_ * accuracy_);
  const double needed = std::sqrt(kappa) * std::log(2 * kappa * ratio * ratio);
  return static_cast<Index>(std::clamp(2 * needed, 0.0, 1e15)) + 10;
}

Index SmoothProx::solve(const RowBlock& samples, VectorRef v, Vector& x) const {
  const std::vector<Index> rows = all_rows(samples);
  const double root = std::sqrt((L_ + rho_) / rho_), beta = (root - 1) / (root + 1);
  Vector z = x;  // where the gradient is taken (dim)
  Index most = 1;
  for (Index count = 1;; ++count) {
    const Vector g = pi_ * samples.gradient(loss_, z, rows) + rho_ * (z - v);
    const double norm = g.norm();
    if (count == 1 && std::isfinite(norm)) most = most_gradients(norm);
    if (!(norm > rho_ * accuracy_) || count >= most) {
      x = z;
      return count;
    }
    if (count >= most_allowed)
      throw WorldLimit(fmt::format(
          "a local minimizer was not found in a million gradients: the local loss is {:.3g} times as curved as the "
          "penalty, and the norm of the gradient is {:.3g} where {:.3g} is asked for; a larger penalty or accuracy "
          "takes fewer (/algorithm/penalty, /algorithm/accuracy)",
          L_ / rho_, norm, rho_ * accuracy_));
    const Vector next = z - g / (L_ + rho_);
    z = next + beta * (next - x);
    x = next;
  }
}

Cost SmoothProx::work_of_gradient(const RowBlock& samples) const {
  const Index c = loss_.outputs(), d = samples.cols() * c;
  return samples.gradient_work(all_rows(samples), c) + Cost(11 * d, Bytes{sizeof(double)} * 8 * d);
}

}  // namespace lagnet
