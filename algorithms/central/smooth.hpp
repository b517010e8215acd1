#pragma once

#include "algorithms/central/optimum.hpp"

namespace lagnet {

/// The optimum for a smooth loss and a regularizer a |theta|_1 + (b/2) |theta|_2^2. Without an l1 norm: Newton's
/// method. With it: proximal gradient steps find the support and its signs, Newton's method the minimizer on that
/// support, in turns until the certificate says so. Every turn lowers F, so no support comes twice.
Optimum solve_smooth(const Problem& problem);

/// 1 / (smoothness |X|^2 / samples), a step for which proximal gradient steps never raise F.
double safe_step(const Problem& problem);

/// For any other regularizer with a prox: proximal gradient steps until the residual is 1e-13 or the patience ends.
Optimum solve_by_proximal_gradient(const Problem& problem);

}  // namespace lagnet
