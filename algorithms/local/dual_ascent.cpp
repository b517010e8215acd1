#include "algorithms/local/dual_ascent.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "algorithms/objectives/soft_threshold.hpp"

namespace lagnet {

namespace {

/// What a sweep of steps needs of the present y.
class Ascent {
 public:
  explicit Ascent(const LocalProblem& local, const Vector& y0) : local_(local), y0_(y0), u_(local.x0) {}

  /// One step on y_j; how far it went.
  double step(Index j, Vector& y) {
    const double w = local_.samples.squared_norm(j) / (local_.n * local_.M), both = local_.rho + w;
    const double center = both > 0 ? (local_.rho * y0_[j] + w * y[j]) / both : 0;
    const double next = dual_prox(local_, j, score(j), both, center);
    const double change = next - y[j];
    local_.samples.add(j, -change / (local_.n * local_.M), u_);
    y[j] = next;
    return std::abs(change);
  }

 private:
  double score(Index j) const {  // a_j'x
    if (local_.l1 == 0) return local_.samples.score(j, u_);
    const SampleRow a = local_.samples.row(j);
    const double threshold = local_.l1 / local_.M;
    double sum = 0;
    for (std::size_t e = 0; e < a.values.size(); ++e) {
      const Index i = local_.samples.is_sparse() ? Index{a.columns[e]} : static_cast<Index>(e);
      sum += a.values[e] * soft_threshold(u_[i], threshold);
    }
    return sum;
  }

  const LocalProblem& local_;
  const Vector y0_;
  Vector u_;  // u(y)   (d)
};

Cost step_work(const RowBlock& samples, Index j, bool has_l1) {
  constexpr Bytes number = sizeof(double), index = sizeof(SparseMatrix::StorageIndex);
  const Index nnz = samples.entries(j);
  return {(has_l1 ? 7 : 4) * nnz + 10, (samples.is_sparse() ? number + index : number) * nnz};
}

}  // namespace

Cost DualAscent::work(const RowBlock& samples, std::span<const Index> order, bool has_l1) const {
  Cost all;
  for (const Index j : order) all = all + step_work(samples, j, has_l1);
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
  for (Index j = 0; j < y.size(); ++j) sweep = sweep + step_work(local.samples, j, local.l1 > 0);
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
