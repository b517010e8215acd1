#pragma once

#include <span>

#include "algorithms/kernels/row_block.hpp"
#include "algorithms/objectives/loss.hpp"
#include "sim/base/compute_cost.hpp"

/// The saddle problem of machine k, with samples a_j for j in P_k, between two messages of a primal-dual method; and
/// the interface of its solvers.
namespace lagnet {

/// maximize over y (n_k), minimize over x (d)
///
///     (1/n) sum_j [ y_j a_j'x - phi_j*(y_j) - (eps/2) y_j^2 - (rho/2) (y_j - y0_j)^2 ] + (M/2) |x|^2 + a |x|_1 - c'x
///
/// from y = y0, with c such that x0 would be the minimizing x there without the l1 norm: x(y) = S_{a/M}(u(y)), u(y) =
/// x0
/// - A_k'(y - y0) / (n M), S the soft threshold. The conjugates are those of the loss, phi_j*(s) = l*(s; label of j).
/// Source: Yu, Liu, Pan, "Communication-Efficient Distributed Primal-Dual Algorithm for Saddle Point Problems", (5),
/// where rho = K / sigma; with rho = 0 it is the local problem of CoCoA+.
struct LocalProblem {
  const RowBlock& samples;
  const Loss& loss;
  double n;             // samples of all machines
  double M;             // > 0
  double rho = 0;       // >= 0
  double eps = 0;       // >= 0
  const Vector& start;  // an x to start from, for solvers that keep one of their own (d)
  const Vector& x0;     // u(y0), which is x(y0) where a is 0 (d)
  double l1 = 0;        // a >= 0
};

/// argmax over s of s z - phi*(s) - (eps/2) s^2 - (weight/2) (s - center)^2, phi with this label.
inline double dual_prox(const LocalProblem& local, Index j, double z, double weight, double center) {
  const double label = local.samples.label(j), q = weight + local.eps;
  if (q == 0) return local.loss.derivative(z, label);
  return -local.loss.dual_step(-(weight * center / q), z, label, q);
}

/// Improves y. Solvers have no state: they may be shared by machines that compute at the same time.
class LocalSolver {
 public:
  virtual ~LocalSolver() = default;
  /// The cost of solving as far as it is known before: set-up and the steps on the samples that `order` lists.
  virtual Cost work(const RowBlock& samples, std::span<const Index> order, bool has_l1) const = 0;
  /// Replaces y = y0 (n_k) by a better one, by steps on the samples that `order` lists, numbers within the block. A
  /// solver that decides itself how far it goes does not look at the order. Returns the additional cost of that.
  virtual Cost solve(const LocalProblem& local, std::span<const Index> order, Vector& y) const = 0;
  /// Whether the number of steps is the user's choice.
  virtual bool takes_order() const { return true; }
};

}  // namespace lagnet
