#pragma once

#include "algorithms/problem/problem.hpp"

namespace lagnet {

/// Powers of two d_j with |d_j x_j| in [1, 2), 1 for a column of zeros (cols). Where no two columns differ by more than
/// 2^16 in norm they are all 1, since solvers lose no digits there that matter.
Vector column_factors(const DataMatrix& X);

/// Powers of two that bring the largest entry of each column into [1, 2), 1 for a column of zeros (cols).
Vector entry_factors(const DataMatrix& X);

/// X diag(factors); exact for powers of two, except for entries that leave the range of doubles.
DataMatrix scaled_columns(const DataMatrix& X, const Vector& factors);

/// |X diag(factors)|_F.
double scaled_size(const DataMatrix& X, const Vector& factors);

/// The power of two f with f size in [1, 2); 1 if size is 0 or not finite.
double power_of_two_for(double size);

/// The problem in phi with theta = diag(factors) phi: columns times factors (cols), each coefficient of a regularizer
/// a |.|_1 + (b/2) |.|^2 with weights of its own. It has the loss and the objective of the problem; its regularizer
/// supports only these and proxes.
Problem with_scaled_columns(const Problem& problem, const Vector& factors);

/// One factor for each entry of theta, of which a column has one for each score (dim).
Vector factors_of_entries(const Problem& problem, const Vector& factors);

}  // namespace lagnet
