#pragma once

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// FISTA with restarts, under a constraint with projections for the prox: theta <- prox(z - step grad f(z), step), z <-
/// theta + momentum, from theta (d), for a smooth loss and any regularizer with a prox; step must be at most samples /
/// (smoothness |X|^2). Beck, Teboulle, "A fast iterative shrinkage-thresholding algorithm" (2009), with the gradient
/// restart of O'Donoghue, Candes, "Adaptive restart for accelerated gradient schemes" (2015). Stops early once steps
/// are at rounding.
Vector proximal_gradient(const Problem& problem, Vector theta, double step, int steps);

}  // namespace lagnet
