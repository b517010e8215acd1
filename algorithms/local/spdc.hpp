#pragma once

#include "algorithms/local/local_problem.hpp"

namespace lagnet {

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
/// coordinate of x then follows such recursions one after the other (idle_steps.hpp), of which one is billed: 36 flops
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
