#pragma once

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The problem in phi with theta = diag(factors) phi: columns times factors (cols), each coefficient of a regularizer
/// a |.|_1 + (b/2) |.|^2 with weights of its own. It has the loss and the objective of the problem; nothing but these
/// and proxes is to be asked of its regularizer.
Problem with_scaled_columns(const Problem& problem, const Vector& factors);

/// One factor for each entry of theta, of which a column has one for each score (dim).
Vector factors_of_entries(const Problem& problem, const Vector& factors);

}  // namespace lagnet
