#include "algorithms/central/bounded_least_squares.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <vector>

namespace lagnet {

namespace {

constexpr double flat = 1e-9;            // of a slope, relative to the sum of its terms without their signs
constexpr double least_missing = 1e-13;  // of residuals and slopes, relative to the numbers that they are sums of

/// One that stands at a limit does not go beyond it by rounding.
bool wants_inside(double x, double slope, double low, double high) { return slope > 0 ? x < high : x > low; }

}  // namespace

Vector bounded_least_squares(const Matrix& B, const Vector& b, const Vector& low, const Vector& high) {
  const Index n = B.cols();
  Vector x = Vector::Zero(n).cwiseMax(low).cwiseMin(high);
  std::vector<Index> free;
  for (Index k = 0; k < n; ++k)
    if (low[k] < x[k] && x[k] < high[k]) free.push_back(k);

  // Goes to the solution of the free variables, or up to the first limits on the way, which it may meet again and
  // again.
  const auto solve_for_free = [&] {
    while (!free.empty()) {
      const Vector step = B(Eigen::all, free).completeOrthogonalDecomposition().solve(b - B * x);
      double length = 1;
      for (std::size_t i = 0; i < free.size(); ++i) {
        const Index k = free[i];
        const double s = step[static_cast<Index>(i)], limit = s > 0 ? high[k] : low[k];
        if (std::abs(limit - x[k]) < length * std::abs(s)) length = std::abs(limit - x[k]) / std::abs(s);
      }
      std::vector<Index> still_free;
      for (std::size_t i = 0; i < free.size(); ++i) {
        const Index k = free[i];
        const double s = step[static_cast<Index>(i)], limit = s > 0 ? high[k] : low[k];
        const bool meets = s != 0 && std::abs(limit - x[k]) <= length * std::abs(s) * (1 + 1e-15);
        x[k] = meets && length < 1 ? limit : std::clamp(x[k] + length * s, low[k], high[k]);
        if (!meets || length == 1) still_free.push_back(k);
      }
      free = std::move(still_free);
      if (length == 1) return;
    }
  };

  for (Index round = 0; round <= 10 * n; ++round) {
    solve_for_free();
    const Vector missing = b - B * x;
    const double size = (B.cwiseAbs() * x.cwiseAbs() + b.cwiseAbs()).maxCoeff();
    if (missing.cwiseAbs().maxCoeff() <= least_missing * size) break;
    const Vector slopes = B.transpose() * missing, scale = B.cwiseAbs().transpose() * missing.cwiseAbs();
    Index best = -1;
    for (Index k = 0; k < n; ++k) {
      if (std::ranges::find(free, k) != free.end()) continue;
      if (std::abs(slopes[k]) <= flat * scale[k] || !wants_inside(x[k], slopes[k], low[k], high[k])) continue;
      if (best < 0 || std::abs(slopes[k]) > std::abs(slopes[best])) best = k;
    }
    if (best < 0) break;
    free.push_back(best);
    std::ranges::sort(free);
  }
  return x;
}

}  // namespace lagnet
