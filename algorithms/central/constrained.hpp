#pragma once

#include "algorithms/central/optimum.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The optimum of a smooth loss under a constraint, without a regularizer: accelerated projected gradient steps until
/// the gap of Frank and Wolfe, sup over x in the set of grad f(theta)'(theta - x), is small enough; this gap bounds
/// F(theta) - F*. If the steps do not get there, the unconstrained optimum is taken, provided that it is feasible. The
/// certificate is "none" for a set without a bound on the gap. M. Jaggi, "Revisiting Frank-Wolfe" (2013), section 2.
Optimum solve_constrained(const Problem& problem);

}  // namespace lagnet
