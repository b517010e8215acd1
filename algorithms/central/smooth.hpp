#pragma once

#include "algorithms/central/optimum.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The optimum for a smooth loss and a regularizer a |theta|_1 + (b/2) |theta|_2^2. Without an l1 norm: Newton's
/// method. With it: proximal gradient steps find the support and its signs, Newton's method the minimizer on that
/// support, in turns until the certificate says so. Every turn lowers F, so no support comes twice.
Optimum solve_smooth(const Problem& problem);

/// 1 / (smoothness |X|^2 / samples), a step for which proximal gradient steps never raise F.
double safe_step(const Problem& problem);

/// For any other regularizer with a prox, and losses of several scores: proximal gradient steps until the residual is
/// at rounding or no longer falls, or until 3e11 flops are spent.
Optimum solve_by_proximal_gradient(const Problem& problem);

}  // namespace lagnet
