#include "algorithms/local/local_fits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include "algorithms/central/gram.hpp"
#include "algorithms/central/solve_centrally.hpp"
#include "algorithms/objectives/soft_threshold.hpp"
#include "sim/base/diagnostic.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

namespace {

/// Of A'A, or of A A'.
Flops gram_flops(const DataMatrix& A, bool by_rows) {
  const auto sparse = A.as_sparse();
  if (!sparse) return A.rows() * A.cols() * (by_rows ? A.rows() : A.cols());
  std::vector<Index> entries(static_cast<std::size_t>(by_rows ? A.cols() : A.rows()), 0);
  for (Index j = 0; j < sparse->outerSize(); ++j)
    for (SparseView::InnerIterator entry(*sparse, j); entry; ++entry)
      ++entries[static_cast<std::size_t>(by_rows ? j : entry.row())];
  Flops sum = 0;
  for (const Index count : entries) sum += count * count;
  return sum;
}

constexpr Index most_allowed = 1'000'000;

std::vector<Index> all_rows(const RowBlock& samples) {
  std::vector<Index> rows(static_cast<std::size_t>(samples.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

}  // namespace

void RidgeSystem::factor() {
  Matrix gram = by_rows(A_) ? gram_of_rows(A_, Vector::Ones(A_.cols())) : gram_of_columns(A_, Vector::Ones(A_.rows()));
  gram.diagonal().array() += rho_;
  cholesky_.factor(gram);
}

Vector RidgeSystem::solve(VectorRef q) const {
  if (!cholesky_.succeeded()) return Vector::Constant(q.size(), std::numeric_limits<double>::quiet_NaN());
  if (!by_rows(A_)) return cholesky_.solve(q);
  const Vector rest = cholesky_.solve(A_.times(q));
  return (q - A_.transpose_times(rest)) / rho_;
}

Cost RidgeSystem::factor_work(const DataMatrix& A) {
  const Index m = std::min(A.rows(), A.cols());
  return {gram_flops(A, by_rows(A)) + m + m * m * m / 3, A.bytes() + Bytes{sizeof(double)} * m * m};
}

Cost RidgeSystem::solve_work(const DataMatrix& A) {
  const Index m = std::min(A.rows(), A.cols());
  const Cost factor(2 * m * m, Bytes{sizeof(double)} * m * m);
  return by_rows(A) ? factor + Cost(4 * A.nonzeros() + 2 * A.cols(), 2 * A.bytes()) : factor;
}

Bytes RidgeSystem::memory(const DataMatrix& A) {
  const Index m = std::min(A.rows(), A.cols());
  return Bytes{sizeof(double)} * 2 * m * m;
}

void ElasticNetFit::prepare() {
  const Matrix lower = gram_of_columns(A_, Vector::Ones(A_.rows()));
  gram_ = lower.selfadjointView<Eigen::Lower>();
  if (!has_factor()) return;
  Matrix system = gram_ / c_;
  system.diagonal().array() += b_;
  cholesky_.factor(system);
}

Index ElasticNetFit::solve(VectorRef s, Vector& theta) const {
  constexpr double accuracy = 1e-13;
  constexpr Index most = 1'000'000;
  const Vector g = A_.transpose_times(s) / c_;  // the gradient of the fit at theta = 0   (q)
  if (has_factor()) {
    theta = -cholesky_.solve(g);
    return 0;
  }
  Vector slope = gram_ * theta / c_ + g;  // of the fit at theta   (q)
  for (Index sweeps = 1; sweeps <= most; ++sweeps) {
    double largest_move = 0;
    for (Index j = 0; j < theta.size(); ++j) {
      const double curvature = gram_(j, j) / c_;
      if (curvature + b_ == 0) continue;  // a column of zeros, and nothing but a: theta_j stays 0
      const double moved = soft_threshold(curvature * theta[j] - slope[j], a_) / (curvature + b_);
      const double move = moved - theta[j];
      if (move == 0) continue;
      theta[j] = moved;
      slope += gram_.col(j) * (move / c_);
      largest_move = std::max(largest_move, std::abs(move));
    }
    if (!(largest_move > accuracy * std::max(1.0, theta.lpNorm<Eigen::Infinity>()))) return sweeps;
  }
  throw WorldLimit(
      "a local fit was not found in a million sweeps over its coefficients: columns nearly depend on each "
      "other; an l2 part of the regularizer, or a larger penalty, takes fewer");
}

Cost ElasticNetFit::prepare_work() const {
  const Index n = A_.rows(), q = A_.cols();
  const Index factor = has_factor() ? q * q * q / 3 : 0;
  return {n * q * q + factor, A_.bytes()};
}

Cost ElasticNetFit::solve_work() const {
  const Index q = A_.cols(), products = 4 * A_.nonzeros();
  return {products + (has_factor() ? 2 * q * q : 0), 2 * A_.bytes()};
}

Cost ElasticNetFit::sweep_work() const {
  const Index q = A_.cols();
  return {2 * q * q + 3 * q, Bytes{sizeof(double)} * q * q};
}

Bytes ElasticNetFit::memory(const DataMatrix& A) { return Bytes{sizeof(double)} * 2 * A.cols() * A.cols(); }

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

std::vector<Vector> own_minimizers(const Problem& problem, const std::vector<Index>& starts) {
  std::vector<Vector> found;
  for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
    Problem own = problem;
    own.samples = starts[i + 1] - starts[i];
    own.X = std::make_shared<const DataMatrix>(problem.X->row_range(starts[i], own.samples));
    own.y = problem.y.segment(starts[i], own.samples);
    const Optimum optimum = solve_centrally(own);
    if (optimum.certificate.kind == CertificateKind::no_minimizer || !optimum.theta.allFinite())
      throw Diagnosed("kind", "samples of which each agent's have a minimizer, as any do with an l2 regularizer",
                      fmt::format("none for those of agent {}", i));
    found.push_back(optimum.theta);
  }
  return found;
}

}  // namespace lagnet
