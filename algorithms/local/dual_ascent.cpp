#include "algorithms/local/dual_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lagnet {

namespace {

/// What a sweep of steps needs of the present y.
class Ascent {
 public:
  explicit Ascent(const LocalProblem& local, const Vector& y0) : local_(local), y0_(y0), x_(local.x0) {}

  /// One step on y_j; how far it went.
  double step(Index j, Vector& y) {
    const double w = local_.samples.squared_norm(j) / (local_.n * local_.M), both = local_.rho + w;
    const double center = both > 0 ? (local_.rho * y0_[j] + w * y[j]) / both : 0;
    const double next = dual_prox(local_, j, local_.samples.score(j, x_), both, center);
    const double change = next - y[j];
    local_.samples.add(j, -change / (local_.n * local_.M), x_);
    y[j] = next;
    return std::abs(change);
  }

 private:
  const LocalProblem& local_;
  const Vector y0_;
  Vector x_;  // x(y)   (d)
};

Cost step_work(const RowBlock& samples, Index j) {
  constexpr Bytes number = sizeof(double), index = sizeof(SparseMatrix::StorageIndex);
  const Index nnz = samples.entries(j);
  return {4 * nnz + 10, (samples.is_sparse() ? number + index : number) * nnz};
}

}  // namespace

Cost DualAscent::work(const RowBlock& samples, std::span<const Index> order) const {
  Cost all;
  for (const Index j : order) all = all + step_work(samples, j);
  return all;
}

Cost DualAscent::solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const {
  Ascent ascent(local, y);
  for (const Index j : order) ascent.step(j, y);
  return {};
}

Cost ExactAscent::solve(const LocalProblem& local, std::span<const Index>, Vector& y) const {
  constexpr double enough = 1e-15;
  constexpr int most_sweeps = 20'000;
  Ascent ascent(local, y);
  Cost sweep;
  for (Index j = 0; j < y.size(); ++j) sweep = sweep + step_work(local.samples, j);
  Cost all;
  for (int sweeps = 0; sweeps < most_sweeps; ++sweeps) {
    double largest = 0;
    for (Index j = 0; j < y.size(); ++j) {
      const double change = ascent.step(j, y);
      largest = std::max(largest, change / std::max(1.0, std::abs(y[j])));
    }
    all = all + sweep;
    if (!(largest > enough)) break;  // or not a number
  }
  return all;
}

}  // namespace lagnet
