#pragma once

#include <optional>
#include <string>

#include "algorithms/interface/algorithm.hpp"

/// What theory proves of a measure of every round, to draw beside what was measured. A method declares it by
/// Algorithm::rate_bound(); the functions below have the closed forms that several methods share.
namespace lagnet {

/// True if all agents take part in every round, no message can be missing, no client attacks, and the graph does not
/// change: the conditions of all bounds below.
bool is_undisturbed(const MethodInput& given);

/// mu, the least curvature of the mean loss of all samples: of the squared loss the least eigenvalue of X'X / N; 0 of
/// other losses, and where is_too_much().
double least_curvature_of_all(const MethodInput& given);
/// True if X'X would take more than 5e7 flops, which every run would pay for.
bool is_too_much(const MethodInput& given);

/// A step of a proximal gradient method on f + h: f is L-smooth and mu-strongly convex, h is mu_h-strongly convex, and
/// its prox is taken. The same step is one of s / (1 + s mu_h) on f + (mu_h / 2) |x|^2 and h - (mu_h / 2) |x|^2, so
/// that theory for a convex h covers it.
struct ProximalStep {
  double s = 0, L = 0, mu = 0, mu_h = 0;
  double step() const { return s / (1 + s * mu_h); }
  double largest() const { return L + mu_h; }
  double least() const { return mu + mu_h; }
};

/// Proximal gradient descent from `start` (d), or from 0 if that is empty. With a strongly convex f + h and without a
/// constraint relative_error <= rho^{2t}, rho = max(|1 - s mu|, |1 - s L|), which some problem attains (Taylor,
/// Hendrickx, Glineur, "Exact worst-case convergence rates of the proximal gradient method for composite convex
/// minimization", JOTA 178, 2018, function values); otherwise, for s <= 1/L, F(x_t) - F* <= |x_0 - x*|^2 / (2 s t)
/// (Beck, Teboulle, "A fast iterative shrinkage-thresholding algorithm", SIAM J. Imaging Sciences 2, 2009,
/// theorem 3.1).
std::optional<RateBound> proximal_gradient_bound(const ProximalStep& of, bool has_constraint, const Vector& start,
                                                 const ErrorScale& scale);
/// FISTA with growing momentum, s <= 1/L: F(x_t) - F* <= 2 |x_0 - x*|^2 / (s (t + 1)^2) (theorem 4.4 there).
std::optional<RateBound> fista_bound(const ProximalStep& of, const Vector& start, const ErrorScale& scale);
/// With constant momentum (1 - sqrt q) / (1 + sqrt q), 0 < q <= s mu: F(x_t) - F* <= 2 (1 - sqrt q)^t (F(x_0) - F*)
/// (Schmidt, Le Roux, Bach, "Convergence rates of inexact proximal-gradient methods for convex optimization", NIPS
/// 2011, proposition 4 without errors).
std::optional<RateBound> constant_momentum_bound(const ProximalStep& of, double q, const ErrorScale& scale);

}  // namespace lagnet
