#pragma once

#include "algorithms/central/optimum.hpp"

namespace lagnet {

/// The optimum for the absolute loss and a regularizer a |theta|_1 + (b/2) |theta|_2^2, a linear or quadratic program:
///
///     minimize |M theta - c|_1 + (B/2) |theta|^2,   M = [X; A I], c = [y; 0], A = n a, B = n b, n = samples.
///
/// Primal-dual interior point method of Mehrotra, "On the implementation of a primal-dual interior point method"
/// (1992), on
///     M theta - c = u - v,   M' lam + B theta = 0,   u (1 - lam) = mu,   v (1 + lam) = mu,   u, v >= 0, |lam| <= 1,
/// with dense normal equations M' W M + B I of the smaller order. It stops where the duality gap no longer shrinks.
Optimum solve_absolute(const Problem& problem);

}  // namespace lagnet
