#pragma once

#include <cstddef>
#include <vector>

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

/// What a coordinate of SPDC's x does while no sample changes it: x+ = S_t(x / tau + s) / P, P = Lam + 1 / tau, S_t the
/// soft threshold. The map does not fall as x rises, so that the x of all steps are monotone; on either side of the
/// threshold it is affine, x+ = f + A (x - f) with f = (s - t) / Lam or (s + t) / Lam and A = 1 / (tau P), and between
/// it is 0. Taking them at once needs a few powers of A instead of a loop.
struct IdleSteps {
  double tau, Lam, t;                 // > 0
  const std::vector<double>& powers;  // A^m, for as many m as steps are asked for

  struct State {
    double x = 0, last = 0;  // after the steps, and before the last of them
  };
  /// After m steps, m >= 1.
  State after(std::size_t m, double x, double s) const;

 private:
  /// How many of the next m steps are affine with this f, all of them starting on this side of the threshold: at least
  /// one, the present one.
  std::size_t steps_on_side(double side, double x, double f, double s, std::size_t m) const;
};

/// The stochastic primal-dual coordinate method. With psi_j = phi_j* + (eps/2) s^2 + (rho/2) (s - y0_j)^2, which is
/// G1-strongly convex, G1 = gamma + eps + rho, and n / n_k of the terms in x, Lam-strongly convex, Lam = (n/n_k) M,
///
///     tau = sqrt(G1 / (n_k Lam)) / (2 R),  sigma = sqrt(n_k Lam / G1) / (2 R),  theta = 1 - 1 / (n_k + R sqrt(n_k /
///     (Lam G1)))
///
/// a step on the sample j is
///
///     y_j+ = argmax of s a_j'xbar - psi_j(s) - (s - y_j)^2 / (2 sigma)
///     x+   = argmin of (n/n_k) (M/2 |x|^2 + a |x|_1 - c'x) + (u + (y_j+ - y_j) a_j)'x + |x - x_old|^2 / (2 tau)
///     u   += (y_j+ - y_j) a_j / n_k,   xbar = x+ + theta (x+ - x_old)
///
/// with u = (1/n_k) sum_j y_j a_j: 13 d + 15 flops. Of sparse samples only the stored entries are touched, 22 flops
/// each and 15: between two of its steps a coordinate of x follows x+ = f + A (x - f), whose powers are known. Setting
/// up u takes 2 flops for each stored entry of the block. With an l1 norm x+ is a soft threshold, 3 d flops more; a
/// coordinate of x then follows such recursions one after the other (IdleSteps), of which one is billed: 36 flops
/// an entry. Source: Zhang, Xiao, "Stochastic Primal-Dual Coordinate
/// Method for Regularized Empirical Risk Minimization", ICML 2015, Algorithm 1 with one coordinate.
class Spdc final : public LocalSolver {
 public:
  /// R, the largest norm of a sample of any machine, > 0; gamma, the strong convexity of phi*, which with eps and rho
  /// must add up to more than 0.
  Spdc(double R, double gamma) : R_(R), gamma_(gamma) {}
  Cost work(const RowBlock& samples, std::span<const Index> order, bool has_l1) const override;
  Cost solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const override;

 private:
  double R_, gamma_;
};

}  // namespace lagnet
