#pragma once

#include "algorithms/problem/problem.hpp"

namespace lagnet::testing {

/// The objective in extended precision, from the formulas and not from lagnet's losses (theta in extended precision,
/// too): squared, logistic, huber with threshold 0.8, absolute, hinge, smoothed_hinge with gamma 0.6, softmax; norms of
/// the elastic family.
long double long_objective(const Problem& problem, const Eigen::Matrix<long double, Eigen::Dynamic, 1>& theta);

/// A value that F takes somewhere, so at least F*, and close to it: Newton's method in extended precision on columns of
/// size 1, with kinks rounded off by less and less. It shares nothing with lagnet's solvers. The first start is `near`.
long double long_minimum(const Problem& problem, const Vector& near);

}  // namespace lagnet::testing
