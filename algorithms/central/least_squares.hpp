#pragma once

#include <optional>

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// The minimizer of (1/2)|X theta - y|^2 + (ridge/2)|theta|^2, ridge >= 0; the one of least norm if ridge is 0 and
/// there are many, of scaled coefficients where columns have factors (column_factors.hpp). From the smaller Gram matrix
/// by Cholesky, with refinement against X itself; where that is ill conditioned, by a complete orthogonal decomposition
/// of [X; sqrt(ridge) I]. Nothing if both are too large (orders above 4096).
std::optional<Vector> least_squares(const DataMatrix& X, VectorRef y, double ridge);

/// The vector of least norm with the same scores X theta.
Vector without_null_space(const DataMatrix& X, const Vector& theta);

}  // namespace lagnet
