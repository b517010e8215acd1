#pragma once

#include "algorithms/local/local_problem.hpp"

namespace lagnet {

/// Stochastic dual coordinate ascent: exact maximization in one y_j after the other, with u = u(y) kept up to date.
///
///     y_j <- argmax of s a_j'x - phi*(s) - (rho/2) (s - y0_j)^2 - (w_j/2) (s - y_j)^2,   w_j = |a_j|^2 / (n M)
///     u   <- u - (change of y_j) a_j / (n M),   x = S_{a/M}(u)
///
/// at 4 flops for each stored entry of a_j, and 10. With an l1 norm, a > 0, a step maximizes a lower bound that
/// touches, and takes 3 flops more for each entry. Source: Shalev-Shwartz, Zhang, "Stochastic Dual Coordinate Ascent
/// Methods for Regularized Loss Minimization", JMLR 14, 2013; Ma, Smith, Jaggi, Jordan, Richtarik, Takac, "Adding vs.
/// Averaging in Distributed Primal-Dual Optimization", ICML 2015.
class DualAscent final : public LocalSolver {
 public:
  Cost work(const RowBlock& samples, std::span<const Index> order, bool has_l1) const override;
  Cost solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const override;
};

/// The same in sweeps over all samples until none changes by more than 1e-15 (of y_j where that is above 1), 20,000
/// sweeps at most: the solution of the local problem but for rounding.
class ExactAscent final : public LocalSolver {
 public:
  Cost work(const RowBlock&, std::span<const Index>, bool) const override { return {}; }
  bool takes_order() const override { return false; }
  Cost solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const override;
};

}  // namespace lagnet
