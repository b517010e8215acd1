#pragma once

#include "algorithms/central/optimum.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The optimum for the absolute or the hinge loss and a regularizer a |theta|_1 + (b/2) |theta|_2^2, a linear or
/// quadratic program:
///
///     minimize sum_i high_i (r_i)+ - low_i (-r_i)+ + (B/2) |theta|^2,   r = M theta - c,
///     M = [X; A I], c = [y; 0], A = n a, B = n b, n = samples.
///
/// low_i = -1 and high_i = 1 where the absolute value counts, that is in the rows of the l1 norm, and of X with the
/// absolute loss; with the hinge loss they are -1 and 0 for the label +1, 0 and 1 for the label -1, since 1 - y x'theta
/// is -y (x'theta - y).
/// Primal-dual interior point method of Mehrotra, "On the implementation of a primal-dual interior point method"
/// (1992), on
///     r = u - v,   M' lam + B theta = 0,   u (high - lam) = mu,   v (lam - low) = mu,   u, v >= 0,
/// low <= lam <= high, with dense normal equations M' W M + B I of the smaller order. It stops where the duality gap no
/// longer shrinks. Where they are too large, the hinge loss with a = 0 < b is solved for the samples near its kink,
/// which a smoothed hinge loss finds. `largest_system` is the largest order of dense normal equations, by default one
/// that takes seconds.
Optimum solve_piecewise_linear(const Problem& problem, Index largest_system = 6000);

}  // namespace lagnet
