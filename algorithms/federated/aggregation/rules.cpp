#include "algorithms/federated/aggregation/rules.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace lagnet {

namespace {

/// An entry of each vector, from the least value to the largest.
class SortedEntry {
 public:
  explicit SortedEntry(Index n) : order_(static_cast<std::size_t>(n)) {}
  /// The places of these values (n), in order.
  template <class Row>
  std::span<const Index> of(const Row& values) {
    std::iota(order_.begin(), order_.end(), Index{0});
    std::ranges::stable_sort(order_, {}, [&](Index k) { return values[k]; });
    return order_;
  }

 private:
  std::vector<Index> order_;
};

template <class Row>
double weighted_median(const Row& values, std::span<const Index> order, const Vector& q) {
  constexpr double rounding = 1e-12;  // of a sum of weights
  double sum = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    sum += q[order[i]];
    if (std::abs(sum - 0.5) <= rounding) return (values[order[i]] + values[order[i + 1]]) / 2;
    if (sum > 0.5) return values[order[i]];
  }
  return values[order.back()];
}

template <class Row>
double median(const Row& values, std::span<const Index> order) {
  const std::size_t n = order.size();
  if (n % 2 == 1) return values[order[n / 2]];
  return (values[order[n / 2 - 1]] + values[order[n / 2]]) / 2;
}

}  // namespace

Index clog2(Index n) { return std::bit_width(static_cast<std::size_t>(n) - 1); }

Vector rule_weights(const Answered& answered, bool weighted) {
  if (weighted) return answered.q;
  return Vector::Constant(answered.n(), 1 / static_cast<double>(answered.n()));
}

Vector weighted_sum(const Matrix& v, const Vector& weights) {
  Vector sum = Vector::Zero(v.rows());
  for (Index k = 0; k < v.cols(); ++k) sum += weights[k] * v.col(k);
  return sum;
}

Aggregate MeanRule::combine(const Answered& answered, Vector&) const {
  return {.a = weighted_sum(answered.v, answered.q)};
}

Aggregate CoordinateMedianRule::combine(const Answered& answered, Vector&) const {
  SortedEntry sorted(answered.n());
  Vector a(answered.v.rows());
  for (Index j = 0; j < a.size(); ++j) {
    const auto values = answered.v.row(j);
    const auto order = sorted.of(values);
    a[j] = weighted ? weighted_median(values, order, answered.q) : median(values, order);
  }
  return {.a = std::move(a)};
}

Index TrimmedMeanRule::left_out(Index n) const {
  const auto g = static_cast<Index>(std::floor(trim * static_cast<double>(n) + 1e-9));
  return std::min(g, (n - 1) / 2);  // a trim next to 1/2 leaves one
}

Aggregate TrimmedMeanRule::combine(const Answered& answered, Vector&) const {
  const Vector weights = rule_weights(answered, weighted);
  const auto g = static_cast<std::size_t>(left_out(answered.n()));
  SortedEntry sorted(answered.n());
  std::vector<bool> stays;
  Vector a(answered.v.rows());
  for (Index j = 0; j < a.size(); ++j) {
    const auto values = answered.v.row(j);
    const auto order = sorted.of(values);
    stays.assign(order.size(), false);
    for (const Index k : order.subspan(g, order.size() - 2 * g)) stays[static_cast<std::size_t>(k)] = true;
    double sum = 0, all = 0, plain = 0;
    for (Index k = 0; k < answered.n(); ++k) {
      if (!stays[static_cast<std::size_t>(k)]) continue;
      sum += weights[k] * values[k];
      all += weights[k];
      plain += values[k];
    }
    // What stays may have no weight at all: then it weighs alike.
    a[j] = all > 0 ? sum / all : plain / static_cast<double>(order.size() - 2 * g);
  }
  return {.a = std::move(a)};
}

Vector KrumRule::scores(const Matrix& v) const {
  const Index n = v.cols();
  // |v_i - v_j|^2 from the differences, which lose no digits where answers are alike, of as many entries at a time as
  // stay in the cache for all answers.
  constexpr Index piece = 256;
  Matrix squares = Matrix::Zero(n, n);
  for (Index first = 0; first < v.rows(); first += piece) {
    const auto rows = v.middleRows(first, std::min(piece, v.rows() - first));
    for (Index i = 0; i < n; ++i)
      for (Index j = i + 1; j < n; ++j) squares(j, i) += (rows.col(i) - rows.col(j)).squaredNorm();
  }
  squares.triangularView<Eigen::StrictlyUpper>() = squares.transpose();
  Vector scores(n);
  std::vector<double> others;
  for (Index i = 0; i < n; ++i) {
    others.clear();
    for (Index j = 0; j < n; ++j)
      if (j != i) others.push_back(squares(i, j));
    std::ranges::sort(others);
    scores[i] = std::accumulate(others.begin(), others.begin() + (n - attackers - 2), 0.0);
  }
  return scores;
}

std::vector<Index> KrumRule::kept(const Vector& scores) const {
  SortedEntry sorted(scores.size());
  const auto order = sorted.of(scores);
  std::vector<Index> best(order.begin(), order.begin() + std::min<std::int64_t>(keep, scores.size()));
  std::ranges::sort(best);
  return best;
}

Aggregate KrumRule::combine(const Answered& answered, Vector&) const {
  const std::vector<Index> best = kept(scores(answered.v));
  Vector weights(std::ssize(best));
  for (std::size_t i = 0; i < best.size(); ++i) weights[static_cast<Index>(i)] = weighted ? answered.q[best[i]] : 1;
  if (!(weights.sum() > 0)) weights.setOnes();  // what is kept may have no weight at all: then it weighs alike
  return {.a = weighted_sum(answered.v(Eigen::all, best), weights / weights.sum())};
}

Flops KrumRule::flops(Index n, Index d) const {
  return 3 * d * n * (n - 1) / 2 + n * ((n - 1) * clog2(n - 1) + n - attackers - 2) + 2 * std::min<Index>(keep, n) * d;
}

Aggregate GeometricMedianRule::combine(const Answered& answered, Vector&) const {
  const Vector q = rule_weights(answered, weighted);
  const Index d = answered.v.rows(), n = answered.n();
  Vector z = weighted_sum(answered.v, q), b(n);
  Index done = 0;
  bool is_near = false;
  while (done < iterations && !is_near) {
    for (Index k = 0; k < n; ++k) b[k] = q[k] / std::max(smoothing, (z - answered.v.col(k)).norm());
    const Vector next = weighted_sum(answered.v, b) / b.sum();
    is_near = accuracy && (next - z).norm() <= *accuracy * std::max(next.norm(), smoothing);
    z = next;
    ++done;
  }
  return {.a = std::move(z), .more = accuracy ? done * step_flops(n, d) : 0};
}

Aggregate CenteredClippingRule::combine(const Answered& answered, Vector& z) const {
  const Vector q = rule_weights(answered, weighted);
  for (std::int64_t r = 0; r < iterations; ++r) {
    Vector moved = z;
    for (Index k = 0; k < answered.n(); ++k) {
      const Vector difference = answered.v.col(k) - z;
      const double norm = difference.norm();
      moved += q[k] * (norm > radius ? radius / norm : 1) * difference;
    }
    z = std::move(moved);
  }
  return {.a = z};
}

}  // namespace lagnet
