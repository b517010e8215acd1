#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/kernels/row_block.hpp"
#include "algorithms/objectives/loss.hpp"
#include "algorithms/problem/data_matrix.hpp"
#include "algorithms/problem/problem.hpp"
#include "sim/base/compute_cost.hpp"
#include "sim/numerics/cholesky.hpp"

namespace lagnet {

/// (A'A + rho I) x = q for many q: a Cholesky factor that is made once, of the smaller side of A (n x d). That is the
/// d x d matrix itself, or, where n < d, A A' + rho I by the matrix inversion lemma,
///
///     x = (q - A'(A A' + rho I)^-1 A q) / rho.
///
/// Source: Boyd, Parikh, Chu, Peleato, Eckstein, "Distributed optimization and statistical learning via the alternating
/// direction method of multipliers", 2011, section 4.2.4.
class RidgeSystem {
 public:
  /// A must outlive it; rho > 0.
  RidgeSystem(const DataMatrix& A, double rho) : A_(A), rho_(rho) {}
  /// To be called before solve().
  void factor();
  /// (d) -> (d). Not a number where there is no factor: rho is nothing beside the rounding of A'A, or A is not finite.
  Vector solve(VectorRef q) const;

  /// n d m flops for the Gram matrix of order m = min(n, d), of sparse A the squares of the stored entries of each row,
  /// or column, added up; m for rho I, and m^3 / 3.
  static Cost factor_work(const DataMatrix& A);
  /// 2 d^2 flops; or 2 n^2, two products with A at 2 each stored entry, and 2 d.
  static Cost solve_work(const DataMatrix& A);
  /// Of the factor, and of the matrix that it is made of.
  static Bytes memory(const DataMatrix& A);

 private:
  static bool by_rows(const DataMatrix& A) { return A.rows() < A.cols(); }

  const DataMatrix& A_;
  double rho_;
  Cholesky cholesky_;
};

/// argmin over theta of a |theta|_1 + (b/2) |theta|^2 + |A theta + s|^2 / (2c) for many s: by a Cholesky factor where
/// a = 0, else by coordinate descent over the Gram matrix from the last theta, until no coordinate moves by more than
/// 1e-13 of the largest one, or of 1. Source: Friedman, Hastie, Tibshirani, "Regularization paths for generalized
/// linear models via coordinate descent", J. Stat. Softw. 33 (2010), section 2.2 (covariance updates).
class ElasticNetFit {
 public:
  /// a, b >= 0, c > 0, A (n x q). It must outlive this.
  ElasticNetFit(const DataMatrix& A, double a, double b, double c) : A_(A), a_(a), b_(b), c_(c) {}
  /// To be called before solve().
  void prepare();
  /// From theta (q), which becomes the result, for s (n). Returns how many sweeps over the coordinates that took; none
  /// with the factor. Throws WorldLimit after a million.
  Index solve(VectorRef s, Vector& theta) const;

  /// n q^2 flops for A'A, and q^3 / 3 for a factor.
  Cost prepare_work() const;
  /// Two products with A, and with the factor 2 q^2.
  Cost solve_work() const;
  /// 2 q^2 + 3 q flops.
  Cost sweep_work() const;
  static Bytes memory(const DataMatrix& A);

 private:
  bool has_factor() const { return a_ == 0; }

  const DataMatrix& A_;
  double a_, b_, c_;
  Matrix gram_;  // A'A (q x q)
  Cholesky cholesky_;
};

/// The prox of a mean loss over an agent's n_k samples, to a stated accuracy:
///
///     x* = argmin over x of h(x) = pi L_k(x) + (rho/2) |x - v|^2
///
/// by gradient steps with constant momentum, which end at a z with |grad h(z)| <= rho accuracy: since h is
/// rho-strongly convex, |z - x*| <= accuracy. With kappa = (L + rho) / rho, L the curvature of pi L_k, that takes of
/// the order of sqrt(kappa) log(1 / accuracy) gradients; they also end after twice as many as theory asks for, so that
/// rounding cannot keep them for ever, and where numbers are no longer finite. A million gradients are the most that a
/// solution may take.
/// Source: Nesterov, "Introductory lectures on convex optimization" (2004), section 2.2.1, constant step scheme III.
class SmoothProx {
 public:
  /// `loss` needs a smoothness; pi > 0, L >= 0, rho > 0, accuracy > 0.
  SmoothProx(const Loss& loss, double pi, double L, double rho, double accuracy)
      : loss_(loss), pi_(pi), L_(L), rho_(rho), accuracy_(accuracy) {}

  /// From x (dim), which becomes the result, for v (dim). Returns how many gradients that took. Throws WorldLimit where
  /// they are too many.
  Index solve(const RowBlock& samples, VectorRef v, Vector& x) const;
  /// The cost of one gradient and the step after it: c_g + 11 dim flops.
  Cost work_of_gradient(const RowBlock& samples) const;

 private:
  Index most_gradients(double first_norm) const;

  const Loss& loss_;
  double pi_, L_, rho_, accuracy_;
};

/// What each agent finds alone: for every i the minimizer of the objective on the rows starts[i] .. starts[i+1] - 1,
/// each a mean over these rows and the whole regularizer (d). Throws Diagnosed where some rows have no minimizer.
std::vector<Vector> own_minimizers(const Problem& problem, const std::vector<Index>& starts);

}  // namespace lagnet
