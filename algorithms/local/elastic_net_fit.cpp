#include "algorithms/local/elastic_net_fit.hpp"

#include <algorithm>
#include <cmath>

#include "algorithms/central/gram.hpp"
#include "algorithms/objectives/soft_threshold.hpp"
#include "sim/base/errors.hpp"

namespace lagnet {

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

}  // namespace lagnet
