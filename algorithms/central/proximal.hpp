#pragma once

#include "algorithms/central/optimum.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// FISTA with restarts, under a constraint with projections for the prox: theta <- prox(z - step grad f(z), step), z <-
/// theta + momentum, from theta (d), for a smooth loss and any regularizer with a prox; step must be at most samples /
/// (smoothness |X|^2). Beck, Teboulle, "A fast iterative shrinkage-thresholding algorithm" (2009), with the gradient
/// restart of O'Donoghue, Candes, "Adaptive restart for accelerated gradient schemes" (2015). Stops early once steps
/// are at rounding.
Vector proximal_gradient(const Problem& problem, Vector theta, double step, int steps);

/// The optimum of a smooth loss under a constraint, without a regularizer: accelerated projected gradient steps until
/// the gap of Frank and Wolfe, sup over x in the set of grad f(theta)'(theta - x), is small enough; this gap bounds
/// F(theta) - F*. If the steps do not get there, the unconstrained optimum is taken, provided that it is feasible. The
/// certificate is "none" for a set without a bound on the gap. M. Jaggi, "Revisiting Frank-Wolfe" (2013), section 2.
Optimum solve_constrained(const Problem& problem);

}  // namespace lagnet
