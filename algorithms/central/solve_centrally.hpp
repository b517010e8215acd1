#pragma once

#include "algorithms/central/optimum.hpp"
#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// A minimizer of F by a method that suits loss and regularizer: closed form for least squares, Newton's method for the
/// other smooth losses, proximal gradient steps and Newton's method on the support with an l1 norm, an interior point
/// method for the absolute and the hinge loss, proximal gradient steps for the softmax loss and for norms other than
/// l1, projected gradient steps under a constraint. Where minimizers are many and nothing is regularized, least squares
/// and the logistic loss give the one of least norm; the others give one without a component in the null space of X.
/// Expects problem.diagnostics() to be empty. If the accuracy of 1e-10 cannot be reached, the best point found is
/// returned with its honest certificate, and the caller decides.
Optimum solve_centrally(const Problem& problem);

}  // namespace lagnet
